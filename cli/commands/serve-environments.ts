import type { Command } from 'commander'
import type { GlobalOptions } from '../global-options.ts'
import { parsePort } from '../parse-setting.ts'

type ServeOptions = GlobalOptions & { port: number; program: string[]; untilInputEnds?: boolean }

export function addServeEnvironmentsCommand(environments: Command): void {
  environments
    .command('serve')
    .description('Serve environments over HTTP on this machine, to be played without a run.')
    .option('--port <n>', '0 takes a free port', parsePort, 0)
    .option('--program <file>', 'a Python file whose environment is served too; repeatable', collect, [])
    .option('--until-input-ends', 'end when the standard input does, as a child of another program')
    .addHelpText(
      'after',
      '\nPrints {"port": …} once it listens.\nExample: espalier environments serve --port 8090',
    )
    .action(async (_: unknown, command: Command) => {
      const { port, program, untilInputEnds } = command.optsWithGlobals<ServeOptions>()
      const { hostImages } = await import('../../local/host-images.ts')
      const { env } = process
      const python = env.ESPALIER_PYTHON ?? 'python3'
      const programs = program.map((file) => [python, '-m', 'espalier.environments', file])
      Object.assign(env, { PORT: String(port), ESPALIER_HOST_PROGRAMS: JSON.stringify(programs) })
      if (untilInputEnds) process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM')).resume()
      await import(hostImages['env-host'] as string)
    })
}

function collect(file: string, earlier: string[]): string[] {
  return [...earlier, file]
}
