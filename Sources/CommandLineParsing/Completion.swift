/// What a shell offers where a value or an operand is expected.
public enum Completion: Sendable, Equatable {
  /// Nothing: the shell cannot know.
  case none
  /// The names of files, and of the folders that lead to them.
  case files
  /// The names of folders.
  case directories
  /// Some of these words.
  case values([String])
}

/// A shell that completions can be written for.
public enum Shell: String, CaseIterable, ArgumentValue {
  case bash, zsh, fish
}

extension Program {
  /// The completions of the program and all its commands, as a script for `shell`.
  ///
  /// - bash: `eval "$(program completions bash)"`, or a file in `~/.local/share/bash-completion/completions`
  /// - zsh: a file `_program` in a folder of `fpath`, or `source` it after `compinit`
  /// - fish: a file `program.fish` in `~/.config/fish/completions`
  public func completions(for shell: Shell) -> String {
    switch shell {
    case .bash: bashCompletions
    case .zsh: zshCompletions
    case .fish: fishCompletions
    }
  }

  /// The program's name as part of the name of a shell function: letters, digits and underscores.
  var functionName: String { "_" + identifier(name) }
}

/// `text` with all but letters and digits of ASCII as underscores.
func identifier(_ text: String) -> String {
  String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
}

/// `text` in single quotes, so that bash and zsh take it as it is.
func shellQuoted(_ text: String) -> String {
  "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
}
