interface TreeNode {
  type: string;
  value?: string;
  children?: TreeNode[];
}

/** Reads `<br>` as a line break, the one tag that models need inside table cells. All other HTML stays text. */
export function remarkLineBreaks() {
  return (tree: TreeNode): void => {
    replace(tree);
  };
}

function replace(node: TreeNode): void {
  for (const child of node.children ?? []) {
    if (child.type === 'html' && /^<br\s*\/?>$/iu.test(child.value ?? '')) {
      child.type = 'break';
      delete child.value;
    }
    replace(child);
  }
}
