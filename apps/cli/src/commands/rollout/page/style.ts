/** The style of an exported session page, for light and dark. Every text colour has a contrast of 4.5 : 1 or more. */

export const PAGE_STYLE = `
:root { --ink: #1f2328; --soft: #59636e; --page: #f6f5f2; --card: #ffffff; --well: #f3f2ee; --line: #dddad3; --accent: #0b6a73; --tint: #e4f1f2; --warn: #9a3b00; --typed: #5b3a9e; --asked: #fbf3e2; --good: #1a6b34; --bad: #b3261e; --added: #e2f4e6; --removed: #fbe6e4; --cached: #a9c9cc; --fresh: #0f7f8a; --out: #c96f1e; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e3e6e8; --soft: #a3adb7; --page: #14171a; --card: #1c2024; --well: #15181c; --line: #353b42; --accent: #6cccd5; --tint: #173236; --warn: #f0a868; --typed: #c6adf3; --asked: #2c2618; --good: #7fd394; --bad: #ff9a91; --added: #16301d; --removed: #3a1d1c; --cached: #3f6a6f; --fresh: #48bcc7; --out: #e2924a; }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; max-width: 58rem; padding: 2.5rem 1.25rem 5rem; background: var(--page); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 1rem; overflow-wrap: anywhere; letter-spacing: -0.01em; }
h2 { font-size: 1.05rem; margin: 2.75rem 0 0.75rem; padding-bottom: 0.35rem; border-bottom: 1px solid var(--line); display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; }
h3 { font-size: 0.8rem; margin: 0 0 0.35rem; color: var(--soft); font-weight: 600; display: flex; justify-content: space-between; gap: 1rem; }
h4 { font-size: 1rem; margin: 1rem 0 0.35rem; }
p { margin: 0.5rem 0; overflow-wrap: anywhere; }
section > :nth-child(2) { margin-top: 0; }
section > :last-child, section > :last-child > :last-child { margin-bottom: 0; }
a { color: var(--accent); }
.remark { font-weight: 400; font-size: 0.8rem; color: var(--soft); white-space: nowrap; font-variant-numeric: tabular-nums; }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; }
.muted, time, figcaption, .facts dt { color: var(--soft); }
.facts { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; margin: 0; font-size: 0.9rem; }
.facts dt { font-size: 0.75rem; }
dd { margin: 0; overflow-wrap: anywhere; }
nav ol { margin: 1.5rem 0 0; padding: 0.75rem 1rem 0.75rem 2.5rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px; font-size: 0.9rem; max-height: 18rem; overflow: auto; }
nav li > span { display: flex; justify-content: space-between; gap: 1rem; padding: 0.1rem 0; overflow-wrap: anywhere; }
nav li::marker { color: var(--soft); }
nav a { text-decoration: none; } nav a:hover { text-decoration: underline; }
nav time { line-height: 2; flex: none; }
.entry { display: grid; grid-template-columns: 4.5rem minmax(0, 1fr); gap: 0.5rem; margin: 0.7rem 0; }
time { font: 0.75rem/2.6 ui-monospace, Menlo, Consolas, monospace; font-variant-numeric: tabular-nums; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 0.65rem 0.9rem; }
section.user { background: var(--tint); border-color: transparent; }
section.user h3 { color: var(--accent); }
section.agent { background: none; border-color: transparent; padding-left: 0; padding-right: 0; }
section.question { background: var(--asked); border-color: transparent; }
.said { white-space: pre-wrap; }
dl { margin: 0; }
section dt { font-weight: 600; margin-top: 0.6rem; } section dt:first-child { margin-top: 0; }
section.question > dl > dd:not(.muted) { color: var(--accent); font-weight: 500; }
ul { list-style: none; margin: 0.4rem 0; padding: 0; }
ul li { display: flex; gap: 0.5rem; padding: 0.05rem 0; overflow-wrap: anywhere; }
ul li > :last-child { min-width: 0; }
.marker { flex: none; min-width: 1em; color: var(--accent); }
li.open, li.open .marker, li.pending .marker { color: var(--soft); font-weight: 400; }
li.completed > :last-child { color: var(--soft); }
li.in_progress { font-weight: 600; }
pre, code { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 0.84rem; }
pre { margin: 0.4rem 0; padding: 0.5rem 0.7rem; line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--well); border-radius: 6px; max-height: 32rem; overflow: auto; tab-size: 4; }
pre.code, pre.patch { white-space: pre; overflow-wrap: normal; }
section.agent pre { background: var(--card); border: 1px solid var(--line); }
pre.typed, p.typed { color: var(--typed); font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 0.84rem; }
pre.typed { background: none; padding: 0; font-weight: 600; }
code { background: var(--well); padding: 0.1em 0.35em; border-radius: 4px; overflow-wrap: anywhere; }
section.agent code { background: var(--card); }
.patch span { display: block; } .patch .added { background: var(--added); } .patch .removed { background: var(--removed); } .patch .place { color: var(--soft); }
blockquote { margin: 0.5rem 0; padding-left: 0.9rem; border-left: 3px solid var(--line); color: var(--soft); }
hr { border: 0; border-top: 1px solid var(--line); margin: 1rem 0; }
.wide { overflow-x: auto; margin: 0.5rem 0; }
table { border-collapse: collapse; font-size: 0.9rem; } th, td { border: 1px solid var(--line); padding: 0.3rem 0.6rem; text-align: left; }
details { color: var(--soft); font-size: 0.9rem; margin: 0.3rem 0; } summary { cursor: pointer; line-height: 1.9; }
.warning { color: var(--warn); font-weight: 500; }
img { display: block; max-width: 100%; max-height: 30rem; height: auto; border-radius: 6px; border: 1px solid var(--line); margin: 0.5rem 0; }
figure { margin: 1.5rem 0 0; }
.chart { position: relative; background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 0.75rem 0.75rem 0.75rem 4.75rem; }
.chart span { position: absolute; left: 0; width: 4.1rem; text-align: right; font-size: 0.75rem; line-height: 1; color: var(--soft); font-variant-numeric: tabular-nums; }
.chart .top { top: 0.65rem; } .chart .zero { bottom: 0.75rem; }
svg { display: block; width: 100%; height: 7.5rem; }
rect.cached { fill: var(--cached); } rect.fresh { fill: var(--fresh); } rect.output { fill: var(--out); }
.key { display: inline-block; width: 0.75em; height: 0.75em; margin: 0 0.2em 0 0.7em; border-radius: 2px; }
.key.cached { background: var(--cached); } .key.fresh { background: var(--fresh); } .key.output { background: var(--out); }
figcaption { font-size: 0.85rem; margin-top: 0.5rem; font-variant-numeric: tabular-nums; }
@media (max-width: 40rem) { body { padding: 1.25rem 0.9rem 3rem; } .entry { grid-template-columns: minmax(0, 1fr); gap: 0; } .entry > time { line-height: 1.6; } .entry > time:empty { display: none; } h1 { font-size: 1.3rem; } nav time { display: none; } }
@media print { body { max-width: none; } pre { max-height: none; } nav { display: none; } }
`;
