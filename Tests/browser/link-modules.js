/**
 * Parses and links modules without running them: a missing file or export is an error.
 *
 *   node --experimental-vm-modules --no-warnings link-modules.js main.js
 */

import { readFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import vm from "node:vm";

const modules = new Map();

/** Returns the module of a file, parsed once. */
async function moduleOf(file) {
  if (!modules.has(file)) {
    modules.set(file, new vm.SourceTextModule(await readFile(file, "utf8"), { identifier: file }));
  }
  return modules.get(file);
}

try {
  const main = await moduleOf(path.resolve(process.argv[2]));
  await main.link((specifier, from) => moduleOf(path.resolve(path.dirname(from.identifier), specifier)));
  for (const file of modules.keys()) console.log(file);
} catch (error) {
  console.error(error.stack.split("\n").slice(0, 5).join("\n"));
  process.exitCode = 1;
}
