/**
 * Recognises a command that is nothing but a patch: `apply_patch <<'EOF' … EOF`, perhaps after `cd FOLDER &&`.
 * Pure. Anything beyond that shape is an ordinary command and left to the shell.
 */

export interface PatchCommand {
  readonly patch: string;
  /** The folder of a leading `cd`, as written. */
  readonly folder: string | undefined;
}

const HEREDOC =
  /^\s*(?:cd\s+(?:'([^']*)'|"([^"$`\\]*)"|([^\s'"$`\\;&|<>()*?[\]{}~]+))\s*&&\s*)?(?:apply_patch|applypatch)\s*<<-?\s*(?:'([A-Za-z_]\w*)'|"([A-Za-z_]\w*)"|([A-Za-z_]\w*))[ \t]*\n([\s\S]*)$/;
const QUOTED = /^\s*(?:apply_patch|applypatch)\s+(?:'([^']*)'|"([^"$`\\]*)")\s*$/;
const BARE = /^\s*(?:\*\*\* Begin Patch)[\s\S]*\*\*\* End Patch\s*$/;

export function recognisePatchCommand(script: string): PatchCommand | undefined {
  const quoted = QUOTED.exec(script);
  if (quoted) return { patch: quoted[1] ?? quoted[2]!, folder: undefined };
  const heredoc = HEREDOC.exec(script);
  if (!heredoc) return undefined;
  const delimiter = heredoc[4] ?? heredoc[5] ?? heredoc[6]!;
  const lines = heredoc[7]!.split("\n");
  const end = lines.indexOf(delimiter);
  if (end < 0 || lines.slice(end + 1).some((line) => line.trim() !== "")) return undefined;
  return { patch: lines.slice(0, end).join("\n"), folder: heredoc[1] ?? heredoc[2] ?? heredoc[3] };
}

/** A patch where a command should be: running it would only confuse the shell. */
export function isBarePatch(script: string): boolean {
  return BARE.test(script);
}
