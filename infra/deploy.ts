import { deploy } from './commands/deploy.ts'
import { runCommand } from './commands/run-command.ts'

await runCommand(deploy)
