import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const folder = join(root, 'containers/trainer')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const text = read('sagemaker/Dockerfile')

test('the image of the trainer starts the entry, which gets the signals itself', () => {
  const [, entry = '[]'] = /^ENTRYPOINT (\[.+\])$/m.exec(text) ?? []
  const [program, path = ''] = JSON.parse(entry) as string[]
  expect(program).toBe('python')
  expect(existsSync(join(root, path))).toBe(true)
})

test('it is made of pinned images and packages, and of no more than it takes', () => {
  const bases = [...text.matchAll(/^FROM (\S+)/gm)].map(([, base = '']) => base)
  expect(bases).toHaveLength(1)
  expect(bases.filter((base) => !/:\d/.test(base))).toEqual([])
  expect(read('sagemaker/Dockerfile.dockerignore')).toBe('*\n!containers/trainer\n')
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
