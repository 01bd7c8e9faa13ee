/** The interactive program that the demo drives: a POSIX shell script, so that it runs on any system with `sh`. */

export const PROGRAM_NAME = "flag-painter.sh";

export const PROGRAM = `# An interactive program for the demo: it prompts, reads lines, takes its time, and ends at end of file.
set -f
colour=plain width=narrow ticket="" painted=0
number() { od -An -N2 -tu2 /dev/urandom 2>/dev/null | tr -d " " || echo $$; }
prompt() { if [ -n "$ticket" ]; then printf '%s > ' "$ticket"; else printf '> '; fi; }
flag() {
  cells=24
  [ "$width" = wide ] && cells=44
  bar=$(printf '%*s' "$cells" "" | tr ' ' '=')
  printf '+%s+\\n|%*s|\\n|  %-*s|\\n|%*s|\\n+%s+\\n' "$bar" "$cells" "" $((cells - 2)) "$colour" "$cells" "" "$bar"
}
echo 'Flag painter. Commands: colour NAME, width NAME, paint, show TICKET. Ctrl-D ends.'
prompt
while IFS= read -r line; do
  set -- $line
  command=\${1:-}
  [ $# -gt 0 ] && shift
  case "$command" in
    colour) [ "\${1:-}" = None ] && [ $# -gt 1 ] && shift; colour="$*"; echo "colour is $colour" ;;
    width) width=$(printf '%s' "\${1:-narrow}" | tr 'A-Z' 'a-z'); echo "width is $width" ;;
    paint) echo 'painting ...'; sleep 1; ticket="#$(number)"; painted=$((painted + 1)); echo "painted as $ticket" ;;
    show) if [ "\${1:-}" = "$ticket" ]; then flag; else echo "there is no ticket \${1:-}"; fi ;;
    "") ;;
    *) echo "unknown command: $command" ;;
  esac
  prompt
done
printf '\\nbye; flags painted: %s\\n' "$painted"
`;
