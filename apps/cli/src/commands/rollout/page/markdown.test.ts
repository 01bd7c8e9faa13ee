import { describe, expect, it } from "vitest";
import { markdown } from "./markdown.js";

describe("markdown of a message", () => {
  it.each([
    ["a *b* **c** `d<e>`", "<p>a <em>b</em> <strong>c</strong> <code>d&lt;e&gt;</code></p>"],
    ["one\ntwo\n\nthree", "<p>one<br>two</p><p>three</p>"],
    ["# Head\ntext", "<h4>Head</h4><p>text</p>"],
    ["text\n```js\na < b\n```\nmore", '<p>text</p><pre class="code">a &lt; b</pre><p>more</p>'],
    ["```\nnever closed", '<pre class="code">never closed</pre>'],
    ["````\n```\n````\nafter", '<pre class="code">```</pre><p>after</p>'],
    ["> said\n> twice", "<blockquote>said<br>twice</blockquote>"],
    ["a\n\n---\n\nb", "<p>a</p><hr><p>b</p>"],
    ["<script>x</script>", "<p>&lt;script&gt;x&lt;/script&gt;</p>"],
    ["[here](https://e.org/?a&b)", '<p><a rel="noreferrer" href="https://e.org/?a&amp;b">here</a></p>'],
    ["[bad](javascript:alert(1))", '<p>bad<span class="muted"> (javascript:alert(1)</span>)</p>'],
    [
      "see https://e.org/a_b?c&d.",
      '<p>see <a rel="noreferrer" href="https://e.org/a_b?c&amp;d">https://e.org/a_b?c&amp;d</a>.</p>',
    ],
    ["|a|b|\n|-|-|\n|1|2|", "<p>|a|b|<br>|-|-|<br>|1|2|</p>"],
    [
      "|a|b|\n|--|--|\n|1|`2`|",
      '<div class="wide"><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td><code>2</code></td></tr></tbody></table></div>',
    ],
  ])("%j", (source, html) => {
    expect(markdown(source)).toBe(html);
  });

  it("lists keep their numbers, boxes and depth", () => {
    const html = markdown("text\n- [x] a\n- [ ] b\n  - c\n3. d\n   goes on\n\nend");
    const item = (depth: number, marker: string, body: string): string =>
      `<li style="margin-left:${depth}em"><span class="marker">${marker}</span><span>${body}</span></li>`;
    const items = item(0, "☑", "a") + item(0, "☐", "b") + item(1, "•", "c") + item(0, "3.", "d goes on");
    expect(html).toBe(`<p>text</p><ul>${items}</ul><p>end</p>`);
  });
});
