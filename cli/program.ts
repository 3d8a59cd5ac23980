import { Command } from 'commander'
import packageFacts from '../package.json' with { type: 'json' }
import { addBundleCommand } from './commands/bundle.ts'
import { addCancelCommand } from './commands/cancel.ts'
import { addCompareCommand } from './commands/compare.ts'
import { addCurvesCommand } from './commands/curves.ts'
import { addDataCommand } from './commands/data.ts'
import { addDatasetsCommand } from './commands/datasets.ts'
import { addDoctorCommand } from './commands/doctor.ts'
import { addDownloadCommand } from './commands/download.ts'
import { addEndpointsCommand } from './commands/endpoints.ts'
import { addEnvironmentsCommand } from './commands/environments.ts'
import { addExperimentsCommand } from './commands/experiments.ts'
import { addExportCommand } from './commands/export.ts'
import { addExtendCommand } from './commands/extend.ts'
import { addImportCommand } from './commands/import.ts'
import { addKeysCommand } from './commands/keys.ts'
import {
  addArchiveCommand,
  addDeleteCommand,
  addLabelCommand,
  addUnarchiveCommand,
} from './commands/labels.ts'
import { addLeaderboardCommand } from './commands/leaderboard.ts'
import { addLibrariesCommand } from './commands/libraries.ts'
import { addLimitsCommand } from './commands/limits.ts'
import { addLoopCommand } from './commands/loop.ts'
import { addLoopsCommand } from './commands/loops.ts'
import { addMemoriesCommand } from './commands/memories.ts'
import { addMethodsCommand } from './commands/methods.ts'
import { addModelsCommand } from './commands/models.ts'
import { addPauseCommand } from './commands/pause.ts'
import { addPresetsCommand } from './commands/presets.ts'
import { addQuickstartCommand } from './commands/quickstart.ts'
import { addReportCommand } from './commands/report.ts'
import { addResumeCommand } from './commands/resume.ts'
import { addRetryCommand } from './commands/retry.ts'
import { addRunCommand } from './commands/run.ts'
import { addRunsCommand } from './commands/runs.ts'
import { addScoreCommand } from './commands/score.ts'
import { addSearchCommand } from './commands/search.ts'
import { addServeCommand } from './commands/serve.ts'
import { addShowCommand } from './commands/show.ts'
import { addSimulateCommand } from './commands/simulate.ts'
import { addSweepCommand } from './commands/sweep.ts'
import { addTrainCommand } from './commands/train.ts'
import { addTrainersCommand } from './commands/trainers.ts'
import { addTrainingsCommand } from './commands/trainings.ts'
import { addTrajectoriesCommand } from './commands/trajectories.ts'
import { addWatchCommand } from './commands/watch.ts'
import { addWorkerCommand } from './commands/worker.ts'
import { addGlobalOptions, choosePlace } from './global-options.ts'
import { nameLatestRun } from './latest-run.ts'
import type { Terminal } from './terminal.ts'

const commandGroups = {
  'Runs:': [
    addRunCommand,
    addWatchCommand,
    addRunsCommand,
    addShowCommand,
    addSearchCommand,
    addReportCommand,
    addScoreCommand,
    addCompareCommand,
    addCurvesCommand,
    addBundleCommand,
    addExportCommand,
    addDatasetsCommand,
    addDownloadCommand,
    addImportCommand,
    addTrajectoriesCommand,
    addPauseCommand,
    addResumeCommand,
    addExtendCommand,
    addRetryCommand,
    addCancelCommand,
  ],
  'Experiments:': [
    addSweepCommand,
    addLeaderboardCommand,
    addExperimentsCommand,
    addLabelCommand,
    addArchiveCommand,
    addUnarchiveCommand,
    addDeleteCommand,
  ],
  'Models that get better:': [
    addTrainCommand,
    addTrainingsCommand,
    addTrainersCommand,
    addLoopCommand,
    addLoopsCommand,
  ],
  'What there is:': [
    addEnvironmentsCommand,
    addDataCommand,
    addMethodsCommand,
    addPresetsCommand,
    addModelsCommand,
    addEndpointsCommand,
    addMemoriesCommand,
    addLibrariesCommand,
  ],
  'Service:': [
    addQuickstartCommand,
    addServeCommand,
    addWorkerCommand,
    addKeysCommand,
    addLimitsCommand,
    addSimulateCommand,
    addDoctorCommand,
  ],
}

/** The whole command line over a terminal. Errors of usage are thrown, not exited with. */
export function buildProgram(terminal: Terminal): Command {
  const program = new Command('espalier')
    .description(packageFacts.description)
    .version(packageFacts.version)
    .exitOverride()
    .showHelpAfterError('Add --help to see what the command takes.')
    .configureHelp({ showGlobalOptions: true, helpWidth: terminal.columns })
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.note(text.trimEnd()),
    })
    .addHelpText(
      'after',
      '\nWherever a command takes a run, `latest` is the newest one.\nExample: espalier quickstart',
    )
    .hook('preAction', choosePlace)
    .hook('preAction', (_, command) => nameLatestRun(command, terminal))
  addGlobalOptions(program)
  for (const [group, commands] of Object.entries(commandGroups)) {
    program.commandsGroup(group)
    for (const add of commands) add(program, terminal)
  }
  return program
}
