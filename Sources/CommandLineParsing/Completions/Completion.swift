/// The candidates that a shell offers for a value or an operand.
package enum Completion: Sendable, Equatable {
  /// No candidates.
  case none
  /// Names of files and folders.
  case files
  /// Names of folders.
  case directories
  /// A fixed list of words.
  case values([String])
}

/// A shell for which completion scripts can be generated.
package enum Shell: String, CaseIterable, ArgumentValue {
  case bash, zsh, fish
}

extension Program {
  /// Returns the completion script for `shell`, covering the program and all its commands.
  ///
  /// - bash: `eval "$(program completions bash)"`, or a file in `~/.local/share/bash-completion/completions`
  /// - zsh: a file `_program` in a folder of `fpath`, or `source` it after `compinit`
  /// - fish: a file `program.fish` in `~/.config/fish/completions`
  package func completions(for shell: Shell) -> String {
    switch shell {
    case .bash: bashCompletions
    case .zsh: zshCompletions
    case .fish: fishCompletions
    }
  }

  /// The program's name as a shell identifier: letters, digits and underscores.
  var functionName: String { "_" + identifier(name) }
}

/// Returns `text` with every character except ASCII letters and digits replaced by an underscore.
func identifier(_ text: String) -> String {
  String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
}

/// Returns `text` in single quotes for bash and zsh.
func shellQuoted(_ text: String) -> String {
  "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
}
