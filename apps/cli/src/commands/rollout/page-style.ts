/** The style of an exported session page, for light and dark. */

export const PAGE_STYLE = `
:root { --ink: #1d2126; --soft: #5d6772; --page: #fbfaf7; --card: #fff; --line: #dcd9d2; --accent: #0f6f78; --warn: #a14a00; --typed: #6b3fa0; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e6e8; --soft: #98a2ad; --page: #15181b; --card: #1d2125; --line: #343a40; --accent: #5cc3cc; --warn: #f0a35e; --typed: #c2a3f0; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1rem 4rem; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1rem; margin: 2rem 0 0.5rem; border-top: 1px solid var(--line); padding-top: 1rem; }
h3 { font-size: 0.8rem; margin: 0 0 0.25rem; color: var(--soft); font-weight: 600; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: 0.1rem 1rem; font-size: 0.9rem; }
.facts dt, .muted, time, figcaption { color: var(--soft); }
.facts dd, dd { margin: 0; overflow-wrap: anywhere; }
.entry { display: grid; grid-template-columns: 5rem 1fr; gap: 0.5rem; margin: 0.6rem 0; }
time { font: 0.8rem/2 ui-monospace, monospace; }
.entry > div { min-width: 0; }
section { background: var(--card); border: 1px solid var(--line); border-left: 3px solid var(--line); border-radius: 4px; padding: 0.6rem 0.8rem; }
section.user { border-left-color: var(--accent); }
section.question { border-left-color: var(--typed); }
section dt { font-weight: 600; }
section dd { color: var(--accent); margin-bottom: 0.5rem; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font: 0.9rem/1.45 ui-monospace, monospace; }
section.command pre { max-height: 24rem; overflow: auto; }
pre.typed { color: var(--typed); margin-bottom: 0.4rem; }
details { color: var(--soft); }
.warning { color: var(--warn); }
img { max-width: 100%; height: auto; border-radius: 4px; }
figure { margin: 1.5rem 0 0; }
svg { display: block; width: 100%; height: 7.5rem; background: var(--card); border: 1px solid var(--line); }
rect.cached, .key.cached { fill: #8fb3b7; background: #8fb3b7; }
rect.input, .key.input { fill: #0f6f78; background: #0f6f78; }
rect.output, .key.output { fill: #c46a1b; background: #c46a1b; }
.key { display: inline-block; width: 0.7em; height: 0.7em; margin: 0 0.3em 0 0.8em; }
@media (max-width: 40rem) { .entry { grid-template-columns: 1fr; gap: 0; } }
`;
