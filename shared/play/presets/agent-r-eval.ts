import type { Preset, PresetId } from '../../core/contracts/preset.ts'
import { agentRPreset } from './agent-r.ts'

const code = 'Agent-R, eval.py'

function evaluation(id: PresetId, title: string): Preset {
  const kept = agentRPreset.settings.filter(
    ({ field }) => field === 'method.style' || /^(model|environment_options)\./.test(field),
  )
  return {
    ...agentRPreset,
    id,
    title,
    source:
      'The Agent-R repository, eval.py. MODEL_TYPE names its folder of results and changes nothing else.',
    settings: [
      { field: 'tasks.split', value: 'test', source: `${code}: test_id/{TASK}_test.json` },
      { field: 'method.id', value: 'react', source: `${code}: one answer a step` },
      { field: 'method.max_steps', value: 100, source: `${code}: --max_steps 100` },
      ...kept,
    ],
  }
}

// Agent-R's evaluation of a model trained on revisions, and of one that was not: the same settings.
export const agentREvalPresets: readonly Preset[] = [
  evaluation(
    'agent-r-eval',
    'One trajectory of a revised model, as eval.py of Agent-R with MODEL_TYPE Agent-R',
  ),
  evaluation(
    'agent-r-eval-raw',
    'One trajectory of a model as it is, as eval.py of Agent-R with MODEL_TYPE Raw',
  ),
]
