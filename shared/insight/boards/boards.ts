import { EspalierError } from '../../core/contracts/errors.ts'
import { unknownName } from '../../core/contracts/validation/nearest-name.ts'

export interface Board {
  id: string
  title: string
  environment: string
  // A split, or the list of a paper that `--task-file` takes.
  tasks: { split: string } | { file: string }
  // Null: our sources do not state it.
  count: number | null
  ranks: 'success rate' | 'mean reward'
  // The preset that plays unless the command names a method or another preset.
  preset?: string
  data: string
  // The tasks are those of a data pack: built-in data of the environment are other tasks.
  fromPack?: true
  source: string
}

const eto = 'ETO, Song et al. 2024 (arXiv 2403.02502), section 6.7 of its fact sheet: counts of the code'
const agentR = 'Agent-R, Yuan et al. 2025 (arXiv 2501.11425), experimental settings: test 200/200/100'
const alfworldGames = 'the games of ALFWorld: espalier data add alfworld FOLDER (json_2.1.1)'
const simulator = 'none: the simulator has the tasks; Java 17 on the machine of its hosts'

export const boards: readonly Board[] = [
  {
    id: 'alfworld-seen',
    title: 'ALFWorld, the 140 games of valid_seen',
    environment: 'alfworld',
    tasks: { split: 'valid_seen' },
    count: 140,
    ranks: 'success rate',
    preset: 'eto',
    data: alfworldGames,
    fromPack: true,
    source: eto,
  },
  {
    id: 'alfworld-unseen',
    title: 'ALFWorld, the 134 games of valid_unseen',
    environment: 'alfworld',
    tasks: { split: 'valid_unseen' },
    count: 134,
    ranks: 'success rate',
    preset: 'eto',
    data: alfworldGames,
    fromPack: true,
    source: eto,
  },
  {
    id: 'webshop',
    title: 'WebShop, ETO’s 200 test goals',
    environment: 'webshop',
    tasks: { file: 'ETO’s list of test goals' },
    count: 200,
    ranks: 'mean reward',
    preset: 'eto',
    data: 'the whole catalogue with its human goals: espalier data add webshop FOLDER',
    fromPack: true,
    source: eto,
  },
  ...(
    [
      ['test', 211],
      ['dev', 194],
      ['train', 1483],
    ] as const
  ).map(
    ([list, count]): Board => ({
      id: `scienceworld-${list}`,
      title: `ScienceWorld, ETO’s ${count} tasks of its list ${list}`,
      environment: 'scienceworld',
      tasks: { file: `ETO’s list of ${list} tasks` },
      count,
      ranks: 'mean reward',
      preset: 'eto',
      data: simulator,
      source: eto,
    }),
  ),
  {
    id: 'textcraft',
    title: 'TextCraft, Agent-R’s 100 test goals',
    environment: 'textcraft',
    tasks: { split: 'test' },
    count: 100,
    ranks: 'success rate',
    preset: 'agent-r-eval',
    data: 'the recipes of an AgentGym server: espalier data add textcraft FOLDER',
    fromPack: true,
    source: agentR,
  },
  {
    id: 'pddl',
    title: 'AgentBoard’s 60 planning problems',
    environment: 'pddl',
    tasks: { split: 'test' },
    count: 60,
    ranks: 'success rate',
    preset: 'learnact-act',
    data: 'AgentBoard’s folder of problems: espalier data add pddl FOLDER',
    fromPack: true,
    source:
      'LearnAct, Zhao et al. 2024 (arXiv 2402.15809), sections 7.1 and 7.3 of its fact sheet: barman 20, gripper 20, blockworld 10, tyreworld 10, the files of AgentBoard',
  },
  {
    id: 'visualwebarena',
    title: 'VisualWebArena, 910 tasks of three sites',
    environment: 'visualwebarena',
    tasks: { split: 'test' },
    count: 910,
    ranks: 'success rate',
    preset: 'exact-vwa-react',
    data: 'its task files and pictures, espalier data add visualwebarena FOLDER, and its three sites',
    fromPack: true,
    source:
      'ExACT, Yu et al. 2024 (arXiv 2410.02052), section 7.1 of its fact sheet: classifieds 234, reddit 210, shopping 466',
  },
  {
    id: 'webarena-verified',
    title: 'WebArena-Verified, 812 tasks of six sites',
    environment: 'webarena',
    tasks: { split: 'test' },
    count: 812,
    ranks: 'success rate',
    data: 'its task file (webarena-verified.json), espalier data add webarena FOLDER, and the sites of WebArena',
    fromPack: true,
    source: 'ServiceNow/webarena-verified (Apache-2.0), assets/dataset/webarena-verified.json',
  },
  {
    id: 'miniwob',
    title: 'MiniWoB++, 20 seeds of 29 pages that no other split has',
    environment: 'miniwob',
    tasks: { split: 'test' },
    count: 580,
    ranks: 'success rate',
    data: 'the pages of MiniWoB++: espalier data fetch miniwob; Chromium on the machine of its hosts',
    fromPack: true,
    source: 'the split test of our miniwob: 29 of its pages',
  },
]

export function findBoard(id: string): Board {
  const found = boards.find((board) => board.id === id)
  if (found !== undefined) return found
  const choices = boards.map((board) => board.id)
  throw new EspalierError('invalid_request', unknownName('There is no board', id, choices), {
    param: 'board',
  })
}
