import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import { openFineTuningServer, serviceKey } from '../support/fine-tuning-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

const root = join(import.meta.dirname, '../..')

async function opened(files: Record<string, unknown>) {
  const folder = await temporaryFolder()
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true })
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  const espalier = async (...words: string[]) => {
    const terminal = recordingTerminal()
    const exitCode = await runCli([...words, '--folder', folder], terminal)
    return { exitCode, out: terminal.outs.join('\n'), notes: terminal.notes.join('\n') }
  }
  return { folder, espalier }
}

/** Five loops of up to ten stages, and the runs of two tables. */
const playing = { timeout: 600_000 }
const practice = ['--practice', '1', '--model', 'simulated', '--parallel', '2']

interface Value {
  row: string
  here: number | null
  run: string | null
}

test(
  'agent-r trains its model at a service that fine-tunes, plays it in the table, and goes on with its loops',
  playing,
  async () => {
    const server = await openFineTuningServer()
    const tuning = {
      kind: 'openai',
      base_url: server.address,
      api_key_file: 'service.key',
      price: 8,
      learning_rate: 1e-5,
      look_every: 0.05,
      endpoint: { prices: { '*': { input: 1, output: 2 } } },
    }
    const { folder, espalier } = await opened({
      'service.key': serviceKey,
      'trainers.json': { trainers: { tuning } },
      // The service decides the rest of its hyperparameters.
      'loop.json': {
        trainer: 'tuning',
        format: 'openai',
        settings: {
          hyperparameters: {},
          method: { id: 'mcts', value: 'none', iterations: 3, samples: 2, max_depth: 6, style: 'agent-r' },
        },
      },
    })
    await chmod(join(folder, 'service.key'), 0o600)
    const loop = join(folder, 'loop.json')
    const words = ['reproduce', 'agent-r', ...practice, '--base', 'small-model']
    const loops = ['--loop', `webshop=${loop}`, '--loop', `textcraft=${loop}`]
    const check = await espalier(...words, ...loops, '--check', '--json')
    expect(check.exitCode, check.out + check.notes).toBe(0)
    expect(server.jobs()).toEqual([])

    const first = await espalier(...words, ...loops, '--json')
    expect(first.exitCode, first.notes).toBe(0)
    const { differences, loops: made, tables } = JSON.parse(first.out)
    expect(made.map(({ environment }: { environment: string }) => environment)).toEqual([
      'webshop',
      'textcraft',
    ])
    const trained: Value[] = tables[0].values.filter(({ row }: Value) => row === 'Agent-R, iteration 3')
    for (const { here } of trained.filter(({ run }) => run !== null)) expect(here).not.toBeNull()
    expect(server.jobs()).toHaveLength(2)
    expect(differences).toContainEqual(
      expect.stringMatching(
        /^Trained in webshop: loop-\S+, 1 rounds from small-model by the trainer tuning;/,
      ),
    )
    for (const { run } of trained) {
      if (run === null) continue
      const shown = JSON.parse((await espalier('show', run, '--json')).out)
      expect(made.map(({ models }: { models: { trained: object } }) => models.trained)).toContainEqual({
        endpoint: shown.request.model.endpoint,
        id: shown.request.model.id,
      })
    }

    const again = await espalier(...words, ...loops, '--max-cost', '5', '--json')
    expect(again.exitCode, again.notes).toBe(0)
    expect(JSON.parse(again.out).loops).toEqual(made)
    expect(server.jobs()).toHaveLength(2)
  },
)

test(
  'eto plays an expert, clones it, trains pairs of its failures, and plays both models in the table',
  playing,
  async () => {
    const { folder, espalier } = await opened({
      'trainers.json': {
        local: {
          python: join(root, 'test/learn/trainings/stand-in-program.mjs'),
          environment: { STAND_IN_KEEPS: 'config.json,tokenizer_config.json' },
        },
      },
      'base/config.json': { max_position_embeddings: 8192 },
      'base/tokenizer_config.json': { eos_token: '</s>', chat_template: '{{ messages }}' },
      'servers.json': {
        servers: {
          driver: 'command',
          command: [
            ...[process.execPath, join(root, 'cli/espalier.mjs'), 'simulate'],
            ...['--port', '{port}', '--skill', '0.4'],
          ],
          context: 16_384,
        },
      },
    })
    const words = ['reproduce', 'eto', ...practice, '--base', join(folder, 'base')]
    const { exitCode, notes, out } = await espalier(...words, '--json')
    expect(exitCode, notes).toBe(0)
    const { loops, tables } = JSON.parse(out)
    expect(loops).toHaveLength(3)
    for (const { environment, loop, models } of loops) {
      const { rounds } = JSON.parse((await espalier('loops', 'show', loop, '--json')).out)
      const stages = rounds.flatMap((round: { stages: { id: string; status: string }[] }) =>
        round.stages.map(({ id, status }) => `${id} ${status}`),
      )
      expect(stages, environment).toEqual(
        expect.arrayContaining(['train-experts succeeded', 'train succeeded', 'evaluate succeeded']),
      )
      expect(models.sft.id).not.toBe(models.eto.id)
    }
    for (const label of ['+ SFT', '+ ETO']) {
      const played = tables[0].values.filter(({ row, run }: Value) => row === label && run !== null)
      expect(played.length, label).toBe(3)
      for (const { here } of played) expect(here).not.toBeNull()
    }
  },
)

test('without a trainer the check says how to get one, and wrong options are named', async () => {
  const { folder, espalier } = await opened({
    'trainers.json': { local: {} },
    'base/config.json': { max_position_embeddings: 8192 },
    'base/tokenizer_config.json': { eos_token: '</s>', chat_template: '{{ messages }}' },
  })
  const cache = process.env.ESPALIER_CACHE
  process.env.ESPALIER_CACHE = join(folder, 'cache')
  try {
    const check = await espalier('reproduce', 'eto', ...practice, '--base', join(folder, 'base'), '--check')
    expect(check.exitCode).toBe(1)
    const text = check.out.replaceAll(/\s+/g, ' ')
    expect(text).toContain('✗ training in webshop: espalier loop eto')
    expect(text).toContain('Install it with: espalier trainers install')
  } finally {
    if (cache === undefined) delete process.env.ESPALIER_CACHE
    else process.env.ESPALIER_CACHE = cache
  }
  const untrained = await espalier('reproduce', 'learnact', ...practice, '--base', 'x')
  expect(untrained).toMatchObject({
    exitCode: 2,
    notes: expect.stringContaining('--base: learnact trains no model'),
  })
  const baseless = await espalier('reproduce', 'eto', ...practice, '--expert', 'webshop=run-1')
  expect(baseless.notes).toContain('--expert: give the model that the loop starts from as --base')
  const elsewhere = await espalier('reproduce', 'eto', ...practice, '--base', 'x', '--expert', 'pddl=run-1')
  expect(elsewhere.notes).toContain(
    '--expert: eto plays webshop, scienceworld, textcraft, alfworld, not "pddl"',
  )
})
