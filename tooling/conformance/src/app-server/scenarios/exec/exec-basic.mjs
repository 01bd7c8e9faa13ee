import { commandCase, execCommand } from "../command-case.mjs";

export async function run(scene) {
  const client = await scene.start();
  await client.init();
  const threadId = await client.thread();
  await commandCase(client, threadId, "echo", [
    scene.respond(execCommand(scene, { cmd: "echo hello; echo err >&2" }, "call_echo")),
  ]);
  await commandCase(client, threadId, "exit-3", [
    scene.respond(execCommand(scene, { cmd: "echo bad; exit 3" }, "call_exit3")),
  ]);
  await commandCase(client, threadId, "silent", [scene.respond(execCommand(scene, { cmd: "true" }, "call_true"))]);
  await commandCase(client, threadId, "not-found", [
    scene.respond(execCommand(scene, { cmd: "no_such_cmd_zz" }, "call_nf")),
  ]);
  await commandCase(client, threadId, "workdir", [
    scene.respond(execCommand(scene, { cmd: "pwd", workdir: "/tmp" }, "call_wd")),
  ]);
  await commandCase(client, threadId, "workdir-relative", [
    scene.respond(execCommand(scene, { cmd: "pwd", workdir: "sub" }, "call_wdr")),
  ]);
  await commandCase(client, threadId, "workdir-missing", [
    scene.respond(execCommand(scene, { cmd: "pwd", workdir: "/no/such/dir" }, "call_wdm")),
  ]);
  await commandCase(client, threadId, "shell-sh", [
    scene.respond(execCommand(scene, { cmd: "echo $0", shell: "/bin/sh" }, "call_sh")),
  ]);
  await commandCase(client, threadId, "shell-missing", [
    scene.respond(execCommand(scene, { cmd: "echo $0", shell: "/bin/nosuch" }, "call_shm")),
  ]);
  await commandCase(client, threadId, "login-false", [
    scene.respond(execCommand(scene, { cmd: "echo $0", login: false }, "call_nl")),
  ]);
  await commandCase(client, threadId, "empty-cmd", [scene.respond(execCommand(scene, { cmd: "" }, "call_empty"))]);
  await commandCase(client, threadId, "missing-cmd", [scene.respond(execCommand(scene, {}, "call_nocmd"))]);
  await commandCase(client, threadId, "command-key", [
    scene.respond(execCommand(scene, { command: "echo x" }, "call_cmdkey")),
  ]);
  await commandCase(client, threadId, "bad-json", [scene.respond(execCommand(scene, "{cmd", "call_badjson"))]);
  await commandCase(client, threadId, "wrong-type", [
    scene.respond(execCommand(scene, { cmd: "echo x", yield_time_ms: "soon" }, "call_wt")),
  ]);
  await commandCase(client, threadId, "unknown-tool", [
    scene.respond(scene.functionCall("no_such_tool", { a: 1 }, "call_unk")),
  ]);
  await commandCase(client, threadId, "env", [
    scene.respond(
      execCommand(
        scene,
        {
          cmd: 'env | grep -E "^(TERM|NO_COLOR|PAGER|GIT_PAGER|LANG|LC_ALL|LC_CTYPE|CODEX|COLORTERM|GH_PAGER)" | sort',
        },
        "call_env",
      ),
    ),
  ]);
  await commandCase(client, threadId, "env-tty", [
    scene.respond(
      execCommand(
        scene,
        { cmd: 'env | grep -E "^(TERM|NO_COLOR|CODEX|COLORTERM)" | sort; tty; stty size', tty: true },
        "call_envt",
      ),
    ),
  ]);
  await commandCase(client, threadId, "stdin-closed", [
    scene.respond(execCommand(scene, { cmd: 'cat; echo "rc=$?"' }, "call_cat")),
  ]);
  await commandCase(client, threadId, "tty-newlines", [
    scene.respond(execCommand(scene, { cmd: 'printf "a\\nb\\n"', tty: true }, "call_ttynl")),
  ]);
  await commandCase(client, threadId, "ansi", [
    scene.respond(execCommand(scene, { cmd: 'printf "\\033[31mred\\033[0m\\n"' }, "call_ansi")),
  ]);
  await commandCase(client, threadId, "binary", [
    scene.respond(execCommand(scene, { cmd: 'printf "a\\377\\376b\\000c"' }, "call_bin")),
  ]);
  await commandCase(client, threadId, "signal-self", [
    scene.respond(execCommand(scene, { cmd: "kill -9 $$" }, "call_k9")),
  ]);
  await commandCase(client, threadId, "two-exec-parallel", [
    scene.respond(
      execCommand(scene, { cmd: "sleep 1; echo one" }, "call_p1"),
      execCommand(scene, { cmd: "sleep 1; echo two" }, "call_p2"),
    ),
  ]);
}
