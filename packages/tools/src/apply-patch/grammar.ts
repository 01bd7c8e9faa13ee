/** The patch language as a Lark grammar, so that a model server can hold the model to it. */
export const PATCH_GRAMMAR = `start: opening section+ closing

opening: "*** Begin Patch" LF
closing: "*** End Patch" LF?

section: addition | deletion | change
addition: "*** Add File: " path LF written+
deletion: "*** Delete File: " path LF
change: "*** Update File: " path LF destination? hunks?

destination: "*** Move to: " path LF
hunks: (anchor | edit)+ at_end?
anchor: ("@@" | "@@ " /(.+)/) LF
edit: ("+" | "-" | " ") /(.*)/ LF
at_end: "*** End of File" LF
written: "+" /(.*)/ LF
path: /(.+)/

%import common.LF
`;
