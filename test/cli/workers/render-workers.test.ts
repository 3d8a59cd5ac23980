import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { runCli } from '../../../cli/run-cli.ts'
import { renderWorkers, schedulers } from '../../../cli/workers/render-workers.ts'
import { readWorkersFile, workersFileSchema } from '../../../cli/workers/workers-file.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { recordingTerminal } from '../recording-terminal.ts'

const folder = { code: '/shared/code', objects: '/shared/objects', settings: '/shared/settings' }
const plain = { ...folder, variables: '/home/me/world.env' }
const { code: _, ...mounted } = folder
const imaged = { ...mounted, image: 'registry.example/espalier:1', kubernetes: { claim: 'shared' } }

test('the words of a Slurm script reach the worker as they were written', async () => {
  const place = await temporaryFolder()
  const variables = join(place, 'world.env')
  await writeFile(variables, 'ESPALIER_WORLD=postgres://h/d\n')
  await mkdir(join(place, 'bin'))
  const node = join(place, 'bin', 'node')
  await writeFile(node, '#!/bin/bash\nprintf "%s\\0" "$ESPALIER_WORLD" "$@"\n')
  await chmod(node, 0o755)
  const texts = fc
    .string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
    .filter((text) => !/\p{Cc}/u.test(text))
  fc.assert(
    fc.property(texts, (text) => {
      const workers = workersFileSchema.parse({ ...folder, code: place, variables, objects: text })
      const { text: script } = renderWorkers('slurm', workers)
      const env = { PATH: `${join(place, 'bin')}:${process.env.PATH}` }
      const said = execFileSync('bash', ['-c', script], {
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      })
        .split('\0')
        .slice(0, -1)
      expect(said).toEqual([
        'postgres://h/d',
        ...['cli/espalier.ts', 'worker', '--objects', text],
        ...['--folder', '/shared/settings', '--places', '100'],
      ])
    }),
    { numRuns: 30 },
  )
})

test('machines with hosts join a service, and play nothing', () => {
  const hosts = { ...plain, objects: undefined, join: 'https://h', hosts: 4, labels: ['browser'] }
  const { text } = renderWorkers('slurm', workersFileSchema.parse(hosts))
  expect(text).toContain(
    'espalier.ts worker --join https://h --folder /shared/settings --hosts 4 --labels browser',
  )
  expect(workersFileSchema.safeParse({ ...plain, hosts: 4 }).error?.message).toContain('needs \\"join\\"')
})

test('Slurm gets an array that leaves before its end', () => {
  const workers = workersFileSchema.parse({
    ...plain,
    workers: 8,
    gpus: 1,
    hours: 8,
    slurm: { partition: 'long' },
  })
  const { name, text } = renderWorkers('slurm', workers)
  expect(name).toBe('espalier.sbatch')
  for (const option of ['array=1-8', 'time=8:00:00', 'signal=B:TERM@150', 'gres=gpu:1', 'partition=long'])
    expect(text).toContain(`\n#SBATCH --${option}\n`)
})

test('Kubernetes gets a Deployment, and scales it if it may', () => {
  const workers = workersFileSchema.parse({
    ...imaged,
    workers: 2,
    kubernetes: { claim: 'c', most_workers: 9 },
  })
  const [deployment, scaler] = parseAllDocuments(renderWorkers('kubernetes', workers).text).map((one) =>
    one.toJS(),
  )
  expect(deployment.spec.template.spec.containers[0]).toMatchObject({
    args: ['worker', '--objects', '/shared/objects', '--folder', '/shared/settings', '--places', '100'],
    envFrom: [{ secretRef: { name: 'espalier-world' } }],
  })
  expect(scaler.spec).toMatchObject({ minReplicas: 2, maxReplicas: 9 })
})

test.each([
  [{ objects: '/shared/objects' }, '/shared/objects'],
  [{ objects: 's3://bucket' }, '/shared/settings'],
  [{ objects: undefined, join: 'https://h' }, '/shared/settings'],
])('the claim of Kubernetes is mounted as the folder that it holds: %j', (given, mountPath) => {
  const workers = workersFileSchema.parse({ ...imaged, ...given })
  const { spec } = parse(renderWorkers('kubernetes', workers).text).spec.template
  expect(spec.containers[0].volumeMounts).toEqual([{ name: 'objects', mountPath }])
})

test('SkyPilot gets the GPU by its name', () => {
  const skypilot = { accelerator: 'A100-80GB', infra: 'aws/eu-north-1' }
  const { resources } = parse(
    renderWorkers('skypilot', workersFileSchema.parse({ ...plain, gpus: 2, skypilot })).text,
  )
  expect(resources).toEqual({
    cpus: '1+',
    memory: '4+',
    accelerators: 'A100-80GB:2',
    infra: 'aws/eu-north-1',
  })
})

test('SkyPilot gets a task that asks for the world as a secret', () => {
  const task = parse(renderWorkers('skypilot', workersFileSchema.parse({ ...plain, workers: 3 })).text)
  expect(task).toMatchObject({ num_nodes: 3, secrets: { ESPALIER_WORLD: null } })
  expect(task.run).toMatch(/^cd \/shared\/code\nexec node cli\/espalier\.ts worker /)
})

test.each([
  ['slurm', folder, /"variables"/],
  ['kubernetes', plain, /"image"/],
  ['kubernetes', { ...mounted, image: 'i' }, /"kubernetes\.claim"/],
  ['skypilot', { ...plain, gpus: 1 }, /"skypilot\.accelerator"/],
] as const)('%s says which field it lacks', (scheduler, description, message) => {
  expect(() => renderWorkers(scheduler, workersFileSchema.parse(description))).toThrow(message)
})

test.each([
  ['workers: 0', /"workers"/],
  ['objects: /o\nsettings: /s', /either "code".*or "image"/],
  ['code: here\nobjects: /o\nsettings: /s', /"code": name an absolute path/],
  ['code: /c\nobjects: "a\\nb"\nsettings: /s', /"objects": use one line/],
  ['name: "a b"', /"name"/],
  ['colour: red', /colour/],
  ['[', /describes no workers/],
])('the file %j is refused with its field', async (text, message) => {
  const file = join(await temporaryFolder(), 'workers.yaml')
  await writeFile(file, text)
  await expect(readWorkersFile(file)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(message),
  })
})

test('a dry run prints the file and writes none; another writes it once', async () => {
  const place = await temporaryFolder()
  const file = join(place, 'workers.yaml')
  await writeFile(file, JSON.stringify({ ...plain, image: undefined }))
  const words = ['workers', 'render', 'slurm', '--file', file, '--out', place]
  const dry = recordingTerminal()
  expect(await runCli([...words, '--dry-run'], dry)).toBe(0)
  expect(await runCli(words, recordingTerminal())).toBe(0)
  expect(`${dry.outs.join('\n')}\n`).toBe(await readFile(join(place, 'espalier.sbatch'), 'utf8'))
  const again = recordingTerminal()
  expect(await runCli(words, again)).toBe(2)
  expect(again.notes.join('\n')).toMatch(/exists: remove it/)
  expect(schedulers).toContain('skypilot')
})
