import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeTrainerContext } from '../../infra/images/copied-contexts.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = join(root, 'containers/trainer')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const text = read('sagemaker/Dockerfile')

test('the image of the trainer starts the entry, which gets the signals itself', () => {
  const [, entry = '[]'] = /^ENTRYPOINT (\[.+\])$/m.exec(text) ?? []
  const [program, path = ''] = JSON.parse(entry) as string[]
  expect(program).toBe('python')
  expect(existsSync(join(root, path))).toBe(true)
  const made = mkdtempSync(join(tmpdir(), 'espalier-trainer-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  writeTrainerContext(made)
  expect(existsSync(join(made, 'app', path.slice('containers/trainer/'.length)))).toBe(true)
  expect(readdirSync(made).toSorted()).toEqual(['Dockerfile', 'app'])
})

test('it is made of a pinned image and packages', () => {
  const bases = [...text.matchAll(/^FROM (\S+)/gm)].map(([, base = '']) => base)
  expect(bases).toHaveLength(1)
  expect(bases.filter((base) => !/:\d/.test(base))).toEqual([])
  const packages = read('requirements.txt')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  expect(packages.filter((line) => !/^[\w-]+==[\d.]+$/.test(line))).toEqual([])
})

test('each module that its program imports lies in it', () => {
  const names = new Set(readdirSync(folder).map((name) => name.replace(/\.py$/, '')))
  const ours = ['check', 'guard', 'marks', 'progress', 'recipes', 'report', 'rows']
  const programs = ['train.py', 'report.py', 'sagemaker/entry.py'].map(read).join('\n')
  const imported = [...programs.matchAll(/^\s*(?:from|import) (\w+)/gm)].map(([, name = '']) => name)
  expect(ours.filter((name) => !names.has(name) || !imported.includes(name))).toEqual([])
})
