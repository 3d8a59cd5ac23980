import { fileURLToPath } from 'node:url'
import { logEvent } from '../../../../containers/env-host/host-log.ts'
import { runHost } from '../../../../containers/env-host/run-host.ts'
import { serveProgram } from '../../../../containers/program/serve-program.ts'
import { scienceworldOptions, variants } from '../scienceworld.ts'

const bridge = fileURLToPath(new URL('play_scienceworld.py', import.meta.url))

const needs =
  'It needs Java 17, and a Python with the packages of shared/environments/scienceworld/host/requirements.txt, which ESPALIER_PYTHON names.'

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
