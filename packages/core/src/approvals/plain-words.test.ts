import { expect, it } from "vitest";
import { plainWords } from "./plain-words.js";

it.each([
  ["ls", ["ls"]],
  ["  rm -rf /tmp/x  ", ["rm", "-rf", "/tmp/x"]],
  ["echo 'a b' \"c d\"", ["echo", "a b", "c d"]],
  ["git log --format=%H", ["git", "log", "--format=%H"]],
  ["echo ''", ["echo", ""]],
])("%j is one command", (script, words) => {
  expect(plainWords(script)).toEqual(words);
});

it.each([
  "git status && rm -rf x",
  "git status; rm x",
  "git status | sh",
  "git status\nrm x",
  "echo $HOME",
  'echo "$HOME"',
  "echo `id`",
  "echo $(id)",
  "cat < x",
  "ls *",
  "ls ~",
  "(ls)",
  "echo a\\ b",
  "X=1 ls",
  "echo 'open",
  "ls # x",
  "",
])("%j is not", (script) => {
  expect(plainWords(script)).toBeNull();
});
