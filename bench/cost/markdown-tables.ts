export type Table = string[][]

export function toMarkdown([head = [], ...rows]: Table): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [
    line(head),
    `|${head.map((_, column) => (column === 0 ? '---|' : '---:|')).join('')}`,
    ...rows.map(line),
  ].join('\n')
}

export function readTables(markdown: string): Record<string, Table> {
  const found = markdown.matchAll(/<!-- table: (\S+) -->\n+((?:\|.*\n)+)/g)
  return Object.fromEntries(
    Array.from(found, ([, name = '', text = '']) => {
      const rows = text
        .trim()
        .split('\n')
        .filter((line) => !/^\|[-:|\s]+$/.test(line))
      return [
        name,
        rows.map((line) =>
          line
            .split('|')
            .slice(1, -1)
            .map((cell) => cell.trim()),
        ),
      ]
    }),
  )
}
