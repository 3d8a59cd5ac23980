import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { runCli } from '../../cli/run-cli.ts'
import { recordingTerminal } from '../cli/recording-terminal.ts'
import { fencesOf, root } from './documents.ts'
import type { Workshop } from './workshop.ts'

const run = promisify(execFile)

/** What every work folder is a copy of, once it is made. */
let template: Promise<string> | null = null

/** A folder with the files that the commands of a document name. */
export async function makeWorkFolder(workshop: Workshop): Promise<string> {
  template ??= makeTemplate(workshop)
  const folder = await mkdtemp(join(tmpdir(), 'espalier-docs-work-'))
  await cp(await template, folder, { recursive: true, verbatimSymlinks: true })
  return folder
}

async function makeTemplate(workshop: Workshop): Promise<string> {
  const folder = workshop.template
  await mkdir(folder)
  const write = async (name: string, value: unknown) =>
    writeFile(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value))
  for (const name of ['examples', 'containers', 'shared', 'node_modules']) {
    await run('ln', ['-s', join(root, name), join(folder, name)])
  }
  for (const examples of ['examples', 'clients/python/examples'])
    await cp(join(root, examples), folder, { recursive: true, force: true })
  const block = fencesOf('python').find(({ text }) => text.includes('@environment('))
  await write('env.py', block?.text ?? '')
  await makeGames(join(folder, 'json_2.1.1'))
  await mkdir(join(folder, 'alfworld'))
  await run('cp', ['-r', join(folder, 'json_2.1.1'), join(folder, 'alfworld')])
  await write('webshop_sft.json', [etoRow])
  await write('webshop_pm.json', [etoPair])
  await write('general.jsonl', {
    conversations: [
      { from: 'human', value: 'What is a stick?' },
      { from: 'gpt', value: 'A thin piece of wood.' },
    ],
  })
  await mkdir(join(folder, 'mcts_result/sciworld/model'), { recursive: true })
  await write('mcts_result/sciworld/model/search_results_17.json', agentRTree)
  await write('test_indices.json', [['task-1-boil', 0]])
  const lines = Array.from({ length: 1210 }, (_, index) => `${JSON.stringify(agentTrajRow(index))}\n`)
  await write('experts.jsonl', lines.slice(0, 3).join(''))
  await write('part-1.jsonl', lines.slice(0, 1200).join(''))
  await write('part-2.jsonl', lines.slice(1200).join(''))
  await mkdir(join(folder, 'agenttraj'))
  await write('agenttraj/webshop_train.json', [agentTrajRow(6)])
  await writeFile(join(folder, 'big.jsonl.gz'), gzipSync(lines.join('')))
  await exportParquet(workshop, folder)
  return folder
}

/** Games as alfworld-download leaves them. */
async function makeGames(folder: string): Promise<void> {
  await run(process.execPath, [
    join(root, 'shared/environments/alfworld/make-games.ts'),
    folder,
    '--count',
    '3',
  ])
  await rename(join(folder, 'test'), join(folder, 'valid_seen'))
}

/** What OTHER_RUN solved, as one file of Parquet. */
async function exportParquet({ folder: data, made }: Workshop, folder: string): Promise<void> {
  const terminal = recordingTerminal()
  const out = join(folder, 'parquet')
  const words = ['export', made.OTHER_RUN ?? '', '--kind', 'sft', '--format', 'parquet', '--out', out]
  if ((await runCli([...words, '--folder', data], terminal)) !== 0) throw new Error(terminal.notes.join('\n'))
  const file = (await readdir(out)).find((name) => name.startsWith('data-') && name.endsWith('.parquet'))
  await rename(join(out, file ?? ''), join(folder, 'rows.parquet'))
}

function agentTrajRow(number: number): object {
  return {
    item_id: `webshop_${number}`,
    conversations: [
      { from: 'human', loss: null, value: 'You are web shopping.' },
      { from: 'gpt', loss: false, value: 'Ok.' },
      { from: 'human', loss: null, value: 'WebShop [SEP] Instruction: [SEP] a red cup [SEP] Search' },
      { from: 'gpt', loss: true, value: `Thought:\nI search.\n\nAction:\nsearch[red cup ${number}]` },
    ],
  }
}

const etoPair = {
  id: 3,
  prompt: [
    { from: 'human', value: 'You are web shopping.' },
    { from: 'gpt', value: 'OK' },
    { from: 'human', value: 'Find a lamp.' },
  ],
  chosen: [{ from: 'gpt', value: 'Thought: I search.\nAction: search[lamp]' }],
  rejected: [{ from: 'gpt', value: 'Thought: I buy.\nAction: click[Buy Now]' }],
}

const etoRow = {
  id: 'webshop_6',
  conversations: [
    { from: 'human', value: 'You are web shopping.' },
    { from: 'gpt', value: 'OK' },
    { from: 'human', value: 'WebShop [SEP] Instruction: [SEP] a red cup [SEP] Search' },
    { from: 'gpt', value: 'Thought: I search.\nAction: search[red cup]' },
  ],
  reward: 1,
}

const agentRTree = {
  ...agentRNode('', 100, 1),
  obs: '',
  llm_response: 'ROOT',
  is_terminal: false,
  state: [
    { role: 'system', content: 'RULES' },
    { role: 'user', content: 'Boil water.' },
    { role: 'assistant', content: 'Ok.' },
    { role: 'user', content: 'A kitchen.' },
  ],
  children: [agentRNode('focus on water', 100, 1)],
}

/** A node with the fields that Agent-R's files have. */
function agentRNode(action: string, score: number, visits: number): object {
  return {
    visits,
    value: score,
    prior: 1,
    puct_value: 0.3,
    obs: `after ${action}`,
    llm_response: `Thought: t\nAction: ${action}`,
    depth: 1,
    is_terminal: true,
    recent_actions: [action],
    action,
    env_score: score,
    disaster: false,
    state: [],
    children: [],
  }
}
