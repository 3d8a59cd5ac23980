import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { setTrainerPython } from '../../cli/checks/own-trainer-python.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function pythonThatSays(text: string): Promise<string> {
  const path = join(await temporaryFolder(), 'python')
  await writeFile(path, `#!/bin/sh\necho '${text}'\n`)
  await chmod(path, 0o755)
  return path
}

const packages = { torch: '2', trl: '1', transformers: '5', datasets: '5', peft: '0.2', accelerate: '1' }

test('a Python with the packages becomes the trainer’s, and other settings stay', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'trainers.json'), '{"local": {"at_once": 2}, "folders": ["/models"]}')
  const python = await pythonThatSays(JSON.stringify(packages))
  expect(await setTrainerPython(folder, python)).toEqual(packages)
  const written = JSON.parse(await readFile(join(folder, 'trainers.json'), 'utf8'))
  expect(written).toEqual({ local: { at_once: 2, python }, folders: ['/models'] })
})

test('one that lacks packages, or does not start, is refused by name, and nothing is written', async () => {
  const folder = await temporaryFolder()
  const lacking = await pythonThatSays(JSON.stringify({ ...packages, trl: null, peft: null }))
  await expect(setTrainerPython(folder, lacking)).rejects.toThrow(/lacks trl, peft/)
  await expect(setTrainerPython(folder, '/nowhere/python')).rejects.toThrow('/nowhere/python does not start')
  await expect(readFile(join(folder, 'trainers.json'))).rejects.toMatchObject({ code: 'ENOENT' })
})
