import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readPromptFile } from '../../cli/read-prompt-file.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function written(files: Record<string, string>): Promise<string> {
  const folder = await temporaryFolder()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

test('a file of VisualWebArena gives its intro, and its examples with their screenshots', async () => {
  const triple = ['OBSERVATION: a page', 'In summary, ```click [1]```', 'agent/prompts/one.png']
  const file = JSON.stringify({ intro: 'You browse.', examples: [triple], template: '{observation}' })
  const folder = await written({ 'agent/prompts/jsons/p.json': file, 'agent/prompts/one.png': 'bytes' })
  expect(await readPromptFile(join(folder, 'agent/prompts/jsons/p.json'))).toEqual({
    text: 'You browse.',
    examples: [
      {
        role: 'user',
        content: triple[0],
        pictures: [{ media_type: 'image/png', data: Buffer.from('bytes').toString('base64') }],
      },
      { role: 'assistant', content: triple[1] },
    ],
  })
})

test('a file of ETO gives the turns of its first example, with either names of fields', async () => {
  const first = [
    { role: 'user', content: 'A room.' },
    { from: 'gpt', content: 'Action: look' },
  ]
  const second = [
    { from: 'human', value: 'x' },
    { from: 'gpt', value: 'y' },
  ]
  const folder = await written({ 'icl.json': JSON.stringify([first, second]) })
  expect(await readPromptFile(join(folder, 'icl.json'))).toEqual({
    examples: [
      { role: 'user', content: 'A room.' },
      { role: 'assistant', content: 'Action: look' },
    ],
  })
})

test('an entry of LearnAct’s prompts becomes a text, with the place of learned actions', async () => {
  const file = `import os
rules = """
Actions: {}
"""
system = "You plan."
prompt_dict = {"blockworld": {"examples": ["Goal: one", "Goal: two"], "instruction": rules, "system_msg": system}}
open("must-not-run", "w")
`
  const folder = await written({ 'prompt.py': file })
  expect(await readPromptFile(`${join(folder, 'prompt.py')}#blockworld`)).toEqual({
    text: 'You plan.\n\nActions: {{actions}}\n\n{{notes}}\n\nHere are examples:\n\nGoal: one\n\nGoal: two',
  })
  await expect(readPromptFile(`${join(folder, 'prompt.py')}#gripper`)).rejects.toThrow(
    'has no prompts named "gripper". It has: blockworld.',
  )
})

test.each([
  ['p.json', '{"examples": [["a"]]}', 'is no file of prompts'],
  ['p.json', '{', 'is not JSON'],
  ['p.json', '{"intro": "x", "examples": [["a", "b", "nowhere.png"]]}', 'which is in no folder above it'],
  ['p.json', '{"intro": "x", "examples": [["a", "b", "film.gif"]]}', 'no PNG, JPEG or WebP'],
  ['p.py#one', 'prompts = {', 'cannot be read'],
])('%s with %s is refused with the reason', async (named, content, reason) => {
  const folder = await written({ [named.split('#')[0] as string]: content })
  await expect(readPromptFile(join(folder, named))).rejects.toThrow(reason)
})

test('any other file is the text', async () => {
  const folder = await written({ 'p.txt': 'Do it. {{rules}}' })
  expect(await readPromptFile(join(folder, 'p.txt'))).toEqual({ text: 'Do it. {{rules}}' })
  await expect(readPromptFile(join(folder, 'absent.txt'))).rejects.toThrow('cannot be read')
})
