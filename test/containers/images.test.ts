import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { basesIn, imageBases, pinBases } from '../../infra/images/image-bases.ts'
import { images as hostImages } from '../../shared/environments/images.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const isBuilt = ({ folder }: { folder: string }) => existsSync(join(root, folder, 'Dockerfile'))
/** Of hosts and sites: `test/infra/image-bundles.slow.test.ts` runs their programs. */
const built = [...hostImages, { id: 'sites', folder: 'containers/sites' }].filter(isBuilt)
const others = ['containers/worker', 'containers/trainer/sagemaker'].map((folder) => ({ id: folder, folder }))

describe.each([...built, ...others])('the image $id', ({ folder }) => {
  const text = read(`${folder}/Dockerfile`)

  test('has bases of the list whose digests it takes, and no others', () => {
    const bases = basesIn(text)
    expect(bases.filter((base) => !Object.hasOwn(imageBases, base))).toEqual([])
    expect(bases.filter((base) => !/:\d/.test(base))).toEqual([])
  })

  test('installs Python packages by the hashes of a lock alone', () => {
    const installs = text.split(/&&|\n(?=[A-Z])/).filter((command) => /pip install/.test(command))
    for (const command of installs) expect(command).toMatch(/--require-hashes -r \S+\.lock/)
    expect(text).not.toMatch(/npm (?:ci|install)/)
  })
})

describe.each(built)('the image $id', ({ id: image, folder }) => {
  const text = read(`${folder}/Dockerfile`)

  test('starts the entry that is named as it is, without rights', () => {
    const [, command = '[]'] = /^CMD (\[.+\])$/m.exec(text) ?? []
    expect(JSON.parse(command)).toEqual(['node', `${folder}/${image}.mjs`])
    // Tasks of desktops name the home of `user`.
    expect(/^USER (\w+)$/m.exec(text)?.[1]).toBe(image === 'desktop' ? 'user' : 'node')
  })

  test('copies the folder of its program, and nothing of the repository', () => {
    const copied = [...text.matchAll(/^COPY (?!--from)(\S+)/gm)].map(([, path = '']) => path)
    expect(copied.filter((path) => path !== 'app' && !path.startsWith('app/'))).toEqual([])
    for (const path of copied.filter((path) => path !== 'app')) {
      expect(existsSync(join(root, path.slice('app/'.length))), path).toBe(true)
    }
  })
})

test('a base is pinned wherever a stage begins with it, and an unknown one is refused', () => {
  const digest = `sha256:${'0'.repeat(64)}`
  const text = 'FROM node:24-slim AS node\nRUN true\nFROM python:3.11\nCOPY --from=node /x /x\n'
  expect(pinBases(text, { 'node:24-slim': digest, 'python:3.11': null })).toBe(
    `FROM node:24-slim@${digest} AS node\nRUN true\nFROM python:3.11\nCOPY --from=node /x /x\n`,
  )
  expect(() => pinBases(text, { 'node:24-slim': digest })).toThrow(/lacks the base image python:3\.11/)
})
