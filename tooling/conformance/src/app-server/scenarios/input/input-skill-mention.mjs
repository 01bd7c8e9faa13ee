import fs from "node:fs";
import path from "node:path";
import { inputCase, textItem } from "../input-case.mjs";

export async function run(scene) {
  const skillFolder = path.join(scene.home, "skills", "my-skill");
  fs.mkdirSync(skillFolder, { recursive: true });
  fs.writeFileSync(
    path.join(skillFolder, "SKILL.md"),
    "---\nname: my-skill\ndescription: A probe skill.\n---\n# My skill\nDo the probe dance.\n",
  );
  const mcp = path.join(scene.cwd, "mcp.mjs");
  fs.writeFileSync(
    mcp,
    `import readline from 'node:readline'; const out=(m)=>process.stdout.write(JSON.stringify({jsonrpc:'2.0',...m})+'\\n'); readline.createInterface({input:process.stdin}).on('line',(l)=>{const m=JSON.parse(l); if(m.method==='initialize') out({id:m.id,result:{protocolVersion:m.params.protocolVersion,capabilities:{tools:{}},serverInfo:{name:'probe-mcp',version:'1'}}}); else if(m.method==='tools/list') out({id:m.id,result:{tools:[{name:'ping',description:'ping tool',inputSchema:{type:'object',properties:{}}}]}}); else if(m.method==='tools/call') out({id:m.id,result:{content:[{type:'text',text:'pong'}]}}); else if(m.id!==undefined) out({id:m.id,result:{}});});`,
  );
  const client = await scene.start({ config: { tables: `[mcp_servers.srv]\ncommand = "node"\nargs = ["${mcp}"]\n` } });
  await client.init();
  await client.request("skills/list", { cwds: [scene.cwd] });
  const skillFile = path.join(skillFolder, "SKILL.md");
  await inputCase(client, "skill-input", [textItem("use it"), { type: "skill", name: "my-skill", path: skillFile }]);
  await inputCase(client, "skill-only", [{ type: "skill", name: "my-skill", path: skillFile }]);
  await inputCase(client, "skill-text-dollar", [textItem("please $my-skill now")]);
  await inputCase(client, "skill-text-link", [textItem(`please [$my-skill](${skillFile}) now`)]);
  await inputCase(client, "skill-missing", [
    textItem("x"),
    { type: "skill", name: "nope", path: path.join(scene.home, "skills/nope/SKILL.md") },
  ]);
  await inputCase(client, "skill-wrong-name", [textItem("x"), { type: "skill", name: "other-name", path: skillFile }]);
  await inputCase(client, "skill-relative", [
    textItem("x"),
    { type: "skill", name: "my-skill", path: "skills/my-skill/SKILL.md" },
  ]);
  await inputCase(client, "skill-twice", [
    textItem("x $my-skill"),
    { type: "skill", name: "my-skill", path: skillFile },
  ]);
  await inputCase(client, "mention-app", [textItem("hey $foo"), { type: "mention", name: "foo", path: "app://foo" }]);
  await inputCase(client, "mention-mcp", [textItem("hey"), { type: "mention", name: "srv", path: "mcp://srv" }]);
  await inputCase(client, "mention-mcp-unknown", [
    textItem("hey"),
    { type: "mention", name: "zzz", path: "mcp://zzz" },
  ]);
  await inputCase(client, "mention-plugin", [
    textItem("hey"),
    { type: "mention", name: "plug", path: "plugin://plug@market" },
  ]);
  await inputCase(client, "mention-only", [{ type: "mention", name: "foo", path: "app://foo" }]);
  await inputCase(client, "mention-file", [
    textItem("hey"),
    { type: "mention", name: "README.md", path: "/tmp/README.md" },
  ]);
  await inputCase(client, "mention-missing-path", [textItem("hey"), { type: "mention", name: "README.md" }]);
}
