import { episodeId } from '../../shared/core/contracts/episode-id.ts'

export interface DevFlags {
  kind?: 'environment' | 'method'
  environment: string
  method: string
  steps: number
}

export interface DevStage {
  name: 'check' | 'play' | 'show'
  words: readonly string[]
}

export function devStages(file: string, text: string, flags: DevFlags, folder: string): DevStage[] {
  const { kind = kindOf(text), steps } = flags
  const isMethod = kind === 'method'
  const environment = isMethod ? flags.environment : file
  const method = isMethod ? file : flags.method
  const bounded = ['--steps', `${steps}`, '--folder', folder]
  const check = isMethod
    ? ['methods', 'validate', file, ...ownEnvironment(environment), '--cuts', '8', ...bounded]
    : ['environments', 'validate', file, '--tasks', '2', ...bounded]
  const played = ['--environment', environment, '--method', method, '--model', 'simulated']
  return [
    { name: 'check', words: check },
    { name: 'play', words: ['run', ...played, '--limit', '1', '--folder', folder] },
    { name: 'show', words: ['show', 'latest', episodeId(0), '--tree', '--folder', folder] },
  ]
}

// Methods are checked in environments by their ids: a file is left to the play.
function ownEnvironment(environment: string): string[] {
  return /\.(?:[cm]?[jt]s|py)$/.test(environment) ? [] : ['--environment', environment]
}

function kindOf(text: string): 'environment' | 'method' {
  return /@method\(|defineMethod|\bbranches\s*:/.test(text) ? 'method' : 'environment'
}
