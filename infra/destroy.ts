import { destroy } from './commands/destroy.ts'
import { runCommand } from './commands/run-command.ts'

await runCommand(destroy)
