import { expect, test } from 'vitest'
import { readCommands } from './read-commands.ts'

const read = (text: string) =>
  readCommands({ file: 'docs/x.md', line: 10, language: 'sh', text }).map(({ line, words }) => [
    line,
    ...words,
  ])

test('a command is a line without its comment; quotes hold words together', () => {
  expect(read('espalier runs   # what there is\n\ncurl -H \'A: b c\' "x#y"\n')).toEqual([
    [10, 'espalier', 'runs'],
    [12, 'curl', '-H', 'A: b c', 'x#y'],
  ])
})

test('it goes on after a backslash and within quotes', () => {
  expect(read("curl a \\\n  b   # why\ncurl -d '{\n  1 }'\nespalier runs\n")).toEqual([
    [10, 'curl', 'a', 'b'],
    [12, 'curl', '-d', '{\n  1 }'],
    [14, 'espalier', 'runs'],
  ])
})

test('a quote that is not closed is said where it is', () => {
  expect(() => read("\ncurl 'a\n")).toThrow('docs/x.md:11')
})
