import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findPythonEnvironment } from '../../shared/core/programs/python-environment.ts'
import { trainerPackages } from '../../shared/learn/trainings/local/local-trainer.ts'

const run = promisify(execFile)

export interface TrainerFacts {
  python: string | null
  packages: Record<string, string>
  gpus: string[]
}

const program = `
import importlib.metadata as metadata, json, torch
names = ["torch", "trl", "transformers", "datasets", "peft", "accelerate"]
count = torch.cuda.device_count() if torch.cuda.is_available() else 0
print(json.dumps({"packages": {name: metadata.version(name) for name in names},
  "gpus": [torch.cuda.get_device_name(index) for index in range(count)]}))
`

/**
 * Queries the managed environment of the local trainer.
 * @throws Error if its packages cannot be loaded
 */
export async function examineTrainer(variables: NodeJS.ProcessEnv): Promise<TrainerFacts> {
  const { python, isInstalled } = await findPythonEnvironment(trainerPackages(variables))
  if (!isInstalled) return { python: null, packages: {}, gpus: [] }
  const { stdout } = await run(python, ['-c', program])
  return { python, ...(JSON.parse(stdout) as Omit<TrainerFacts, 'python'>) }
}
