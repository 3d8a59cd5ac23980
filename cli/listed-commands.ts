import type { Command } from 'commander'
import type { Terminal } from './terminal.ts'

export interface ListedCommand {
  name: string
  takes: string
  summary: string
  load(): Promise<(program: Command, terminal: Terminal) => void>
}

export const listedCommands: Readonly<Record<string, readonly ListedCommand[]>> = {
  'Runs:': [
    {
      name: 'run',
      takes: '',
      summary: 'Start a run, watch it and print its report.',
      load: async () => (await import('./commands/run.ts')).addRunCommand,
    },
    {
      name: 'watch',
      takes: '<run>',
      summary: 'Watch a run to its end, then print its report.',
      load: async () => (await import('./commands/watch.ts')).addWatchCommand,
    },
    {
      name: 'runs',
      takes: '',
      summary: 'List runs, newest first.',
      load: async () => (await import('./commands/runs.ts')).addRunsCommand,
    },
    {
      name: 'show',
      takes: '<run> [episode]',
      summary: 'Show a run, an episode with its tree, or a node.',
      load: async () => (await import('./commands/show.ts')).addShowCommand,
    },
    {
      name: 'search',
      takes: '<words...>',
      summary: 'Find text in all trees: observations, answers and notes.',
      load: async () => (await import('./commands/search.ts')).addSearchCommand,
    },
    {
      name: 'report',
      takes: '<run>',
      summary: 'Report on a run: success, reward, effort and money.',
      load: async () => (await import('./commands/report.ts')).addReportCommand,
    },
    {
      name: 'score',
      takes: '<run>',
      summary: 'Score the ended episodes of a run again, without playing.',
      load: async () => (await import('./commands/score.ts')).addScoreCommand,
    },
    {
      name: 'compare',
      takes: '<run...>',
      summary: 'Compare runs on the tasks they share.',
      load: async () => (await import('./commands/compare.ts')).addCompareCommand,
    },
    {
      name: 'curves',
      takes: '<run...>',
      summary: 'Show success over spending, for one run or more.',
      load: async () => (await import('./commands/curves.ts')).addCurvesCommand,
    },
    {
      name: 'bundle',
      takes: '<run...>',
      summary: 'Write runs, trees and their comparison as static pages.',
      load: async () => (await import('./commands/bundle.ts')).addBundleCommand,
    },
    {
      name: 'export',
      takes: '[run...]',
      summary: 'Build a dataset from runs and imports, and download it.',
      load: async () => (await import('./commands/export.ts')).addExportCommand,
    },
    {
      name: 'datasets',
      takes: '[dataset]',
      summary: 'List datasets, or show one; list kinds and formats.',
      load: async () => (await import('./commands/datasets.ts')).addDatasetsCommand,
    },
    {
      name: 'download',
      takes: '<run...>',
      summary: 'Write episodes for other programs: Inspect, ATIF, CSV, Parquet.',
      load: async () => (await import('./commands/download.ts')).addDownloadCommand,
    },
    {
      name: 'import',
      takes: '<file...>',
      summary: 'Import trajectories as experts and as training data.',
      load: async () => (await import('./commands/import.ts')).addImportCommand,
    },
    {
      name: 'trajectories',
      takes: '[import]',
      summary: 'List imported trajectories, or show one import.',
      load: async () => (await import('./commands/trajectories.ts')).addTrajectoriesCommand,
    },
    {
      name: 'pause',
      takes: '<run>',
      summary: 'Pause a run, so that it can be resumed later.',
      load: async () => (await import('./commands/pause.ts')).addPauseCommand,
    },
    {
      name: 'resume',
      takes: '<run>',
      summary: 'Resume a paused run, with new caps if you give them.',
      load: async () => (await import('./commands/resume.ts')).addResumeCommand,
    },
    {
      name: 'extend',
      takes: '<run>',
      summary: 'Continue the episodes of an ended run with a larger budget.',
      load: async () => (await import('./commands/extend.ts')).addExtendCommand,
    },
    {
      name: 'retry',
      takes: '<run>',
      summary: 'Play the errored episodes of an ended run again.',
      load: async () => (await import('./commands/retry.ts')).addRetryCommand,
    },
    {
      name: 'cancel',
      takes: '<run>',
      summary: 'End a run permanently; ended episodes keep their results.',
      load: async () => (await import('./commands/cancel.ts')).addCancelCommand,
    },
  ],
  'Experiments:': [
    {
      name: 'sweep',
      takes: '<file>',
      summary: 'Play methods × environments × models × seeds as one experiment.',
      load: async () => (await import('./commands/sweep.ts')).addSweepCommand,
    },
    {
      name: 'leaderboard',
      takes: '[run...]',
      summary: 'Rank methods by environment, with intervals and costs.',
      load: async () => (await import('./commands/leaderboard.ts')).addLeaderboardCommand,
    },
    {
      name: 'reproduce',
      takes: '<recipe>',
      summary: "Repeat a paper's table, with its numbers beside yours.",
      load: async () => (await import('./commands/reproduce.ts')).addReproduceCommand,
    },
    {
      name: 'board',
      takes: '',
      summary: 'List boards; play one, export and verify a submission.',
      load: async () => (await import('./commands/board.ts')).addBoardCommand,
    },
    {
      name: 'experiments',
      takes: '',
      summary: 'List experiments.',
      load: async () => (await import('./commands/experiments.ts')).addExperimentsCommand,
    },
    {
      name: 'label',
      takes: '<ids...>',
      summary: 'Rename, tag or describe runs, datasets and imports.',
      load: async () => (await import('./commands/labels.ts')).addLabelCommand,
    },
    {
      name: 'archive',
      takes: '<ids...>',
      summary: 'Hide runs, datasets and imports from lists.',
      load: async () => (await import('./commands/labels.ts')).addArchiveCommand,
    },
    {
      name: 'unarchive',
      takes: '<ids...>',
      summary: 'Show archived runs, datasets and imports in lists again.',
      load: async () => (await import('./commands/labels.ts')).addUnarchiveCommand,
    },
    {
      name: 'delete',
      takes: '<ids...>',
      summary: 'Delete runs, datasets and imports permanently.',
      load: async () => (await import('./commands/labels.ts')).addDeleteCommand,
    },
  ],
  'Models that get better:': [
    {
      name: 'train',
      takes: '<dataset...>',
      summary: 'Train a model on datasets, and follow it.',
      load: async () => (await import('./commands/train.ts')).addTrainCommand,
    },
    {
      name: 'trainings',
      takes: '[training]',
      summary: 'List trainings, or show one; list recipes.',
      load: async () => (await import('./commands/trainings.ts')).addTrainingsCommand,
    },
    {
      name: 'trainers',
      takes: '',
      summary: 'List the trainers; install and check the one of this machine.',
      load: async () => (await import('./commands/trainers.ts')).addTrainersCommand,
    },
    {
      name: 'rollouts',
      takes: '',
      summary: 'List rollouts; start, show, follow or cancel one.',
      load: async () => (await import('./commands/rollouts.ts')).addRolloutsCommand,
    },
    {
      name: 'loop',
      takes: '<recipe>',
      summary: 'Improve a model in rounds: explore, build, train, serve, evaluate.',
      load: async () => (await import('./commands/loop.ts')).addLoopCommand,
    },
    {
      name: 'loops',
      takes: '',
      summary: 'List loops; show, report on, pause, resume or cancel one.',
      load: async () => (await import('./commands/loops.ts')).addLoopsCommand,
    },
  ],
  'What there is:': [
    {
      name: 'dev',
      takes: '<file>',
      summary: 'Check and play your file again after each change.',
      load: async () => (await import('./commands/dev.ts')).addDevCommand,
    },
    {
      name: 'environments',
      takes: '',
      summary: 'List environments or their tasks; validate, install or serve one.',
      load: async () => (await import('./commands/environments.ts')).addEnvironmentsCommand,
    },
    {
      name: 'data',
      takes: '',
      summary: 'Add, fetch, list and remove data packs of environments.',
      load: async () => (await import('./commands/data.ts')).addDataCommand,
    },
    {
      name: 'methods',
      takes: '',
      summary: 'List methods, or show one; validate your own.',
      load: async () => (await import('./commands/methods.ts')).addMethodsCommand,
    },
    {
      name: 'presets',
      takes: '[preset]',
      summary: "List presets, each a paper's settings; or show one.",
      load: async () => (await import('./commands/presets.ts')).addPresetsCommand,
    },
    {
      name: 'models',
      takes: '',
      summary: 'List endpoints; add, serve and delete registered models.',
      load: async () => (await import('./commands/models.ts')).addModelsCommand,
    },
    {
      name: 'endpoints',
      takes: '',
      summary: 'List, add, change, test and remove endpoints.',
      load: async () => (await import('./commands/endpoints.ts')).addEndpointsCommand,
    },
    {
      name: 'memories',
      takes: '[memory]',
      summary: 'List memories, or the notes of one.',
      load: async () => (await import('./commands/memories.ts')).addMemoriesCommand,
    },
    {
      name: 'libraries',
      takes: '[library]',
      summary: 'List libraries of learned actions, or the actions of one.',
      load: async () => (await import('./commands/libraries.ts')).addLibrariesCommand,
    },
  ],
  'Service:': [
    {
      name: 'quickstart',
      takes: '',
      summary: 'Play react and mcts, compare them, serve the dashboard.',
      load: async () => (await import('./commands/quickstart.ts')).addQuickstartCommand,
    },
    {
      name: 'serve',
      takes: '',
      summary: 'Serve the dashboard and the HTTP API, and play runs.',
      load: async () => (await import('./commands/serve.ts')).addServeCommand,
    },
    {
      name: 'worker',
      takes: '',
      summary: 'Play episodes of a deployment or a shared world on this machine.',
      load: async () => (await import('./commands/worker.ts')).addWorkerCommand,
    },
    {
      name: 'workers',
      takes: '',
      summary: 'List the workers, or write job files that start them on a cluster.',
      load: async () => (await import('./commands/workers.ts')).addWorkersCommand,
    },
    {
      name: 'keys',
      takes: '',
      summary: 'Create, list and revoke API keys.',
      load: async () => (await import('./commands/keys.ts')).addKeysCommand,
    },
    {
      name: 'limits',
      takes: '',
      summary: "Show or set a tenant's limits.",
      load: async () => (await import('./commands/limits.ts')).addLimitsCommand,
    },
    {
      name: 'mcp',
      takes: '',
      summary: 'Serve runs, reports and trees as MCP tools for coding agents.',
      load: async () => (await import('./commands/mcp.ts')).addMcpCommand,
    },
    {
      name: 'exec',
      takes: '<file> [words...]',
      summary: 'Run a script that imports espalier/client.',
      load: async () => (await import('./commands/exec.ts')).addExecCommand,
    },
    {
      name: 'simulate',
      takes: '',
      summary: 'Serve the simulated model as an OpenAI-compatible endpoint.',
      load: async () => (await import('./commands/simulate.ts')).addSimulateCommand,
    },
    {
      name: 'doctor',
      takes: '',
      summary: 'Check this machine: Node, folder, service, endpoints, hosts.',
      load: async () => (await import('./commands/doctor.ts')).addDoctorCommand,
    },
    {
      name: 'backup',
      takes: '<target>',
      summary: 'Copy a whole world into a new folder, while its service runs.',
      load: async () => (await import('./commands/backup.ts')).addBackupCommand,
    },
    {
      name: 'restore',
      takes: '<backup>',
      summary: 'Verify a backup and create a world from it.',
      load: async () => (await import('./commands/restore.ts')).addRestoreCommand,
    },
    {
      name: 'verify',
      takes: '',
      summary: 'Verify the checksums of the data folder and repair its trees.',
      load: async () => (await import('./commands/verify.ts')).addVerifyCommand,
    },
  ],
}
