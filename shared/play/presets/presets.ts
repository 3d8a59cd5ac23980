import { EspalierError } from '../../core/contracts/errors.ts'
import type { Preset, PresetInfo } from '../../core/contracts/preset.ts'
import { unknownName } from '../../core/contracts/validation/nearest-name.ts'
import { exactOsworldPreset, exactOsworldShellPresets } from '../../environments/osworld/presets.ts'
import { agentREvalPresets, agentRPreset } from './agent-r.ts'
import { etoExplorePreset, etoPreset } from './eto.ts'
import { exactVwaPreset } from './exact-vwa.ts'
import { exactVwaShellPresets } from './exact-vwa-shells.ts'
import { learnactPreset } from './learnact.ts'
import { learnactMethodPresets } from './learnact-methods.ts'

/** Every preset. Add a new one here and to `presetIdSchema`. */
export const presets: readonly Preset[] = [
  exactVwaPreset,
  exactOsworldPreset,
  agentRPreset,
  etoPreset,
  learnactPreset,
  ...exactVwaShellPresets,
  ...exactOsworldShellPresets,
  ...agentREvalPresets,
  etoExplorePreset,
  ...learnactMethodPresets,
]

export function listPresets(): PresetInfo[] {
  return presets.map((preset) => ({ ...preset, object: 'preset' }))
}

/** @throws EspalierError `invalid_request`, with the choices */
export function findPreset(id: unknown): Preset {
  const found = presets.find((preset) => preset.id === id)
  if (found !== undefined) return found
  const choices = presets.map((preset) => preset.id)
  throw new EspalierError('invalid_request', unknownName('There is no preset', id, choices), {
    param: 'preset',
  })
}
