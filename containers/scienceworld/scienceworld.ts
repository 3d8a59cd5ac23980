import { fileURLToPath } from 'node:url'
import { scienceworldOptions, variants } from '../../shared/environments/scienceworld/scienceworld.ts'
import { logEvent } from '../env-host/host-log.ts'
import { runHost } from '../env-host/run-host.ts'
import { serveProgram } from '../program/serve-program.ts'

const bridge = fileURLToPath(new URL('play_scienceworld.py', import.meta.url))

const needs =
  'It needs Java 17, and a Python with the packages of containers/scienceworld/requirements.txt, which ESPALIER_PYTHON names.'

// The entry point of the image, and of the child process that takes its place on one machine. Each session is a Java machine
// of about 230 MB.
await runHost(
  async () =>
    serveProgram(
      variants.map(({ facts, simplifications }) => ({
        facts,
        settings: { simplifications },
        options: scienceworldOptions,
      })),
      { command: [process.env.ESPALIER_PYTHON ?? 'python3', bridge], needs, log: logEvent },
    ),
  { ESPALIER_HOST_SLOTS: '3' },
)
