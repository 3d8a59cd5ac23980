import type { BackendAnswer, ServedEnvironment } from '../../containers/env-host/session-backend.ts'
import type { HostCall } from '../../shared/core/contracts/host-call.ts'
import type { SentPicture } from '../../shared/core/contracts/picture.ts'
import type { World } from '../../shared/core/world/ports.ts'
import type { HostedEnvironment } from '../../shared/environments/environment.ts'
import { hostSessions } from '../../shared/environments/hosts/host-sessions.ts'
import type { SessionSource } from '../../shared/environments/session-source.ts'
import { drawPng } from './draw-png.ts'
import { openServedHost } from './served-host.ts'

/** An environment on hosts that shows a page of its own colour after every step, and is solved by the action `finish`. */
export const pictureEnvironment: HostedEnvironment = {
  id: 'pictures',
  description: 'Shows pictures.',
  snapshot: 'replay',
  deterministic: true,
  success_threshold: 1,
  default_max_steps: 8,
  host: { kind: 'image', image: 'pictures' },
  tasks: () => [{ id: 'task', split: 'test', type: 'any', description: 'any' }],
  describe: () => ({ rules: 'Look, and act.', example: null }),
}

export function pngOf(width: number, height: number, colour: readonly number[]): SentPicture {
  return { media_type: 'image/png', data: drawPng(width, height, colour).toString('base64') }
}

/**
 * One host of the environment, in this process.
 *
 * @param draw what is shown after so many steps of a session; by default one PNG of 64 × 48 pixels
 */
export async function openPictureHost(
  world: World,
  draw = (steps: number): SentPicture[] => [pngOf(64, 48, [steps, 0, 0])],
): Promise<{ sessions: SessionSource; calls: HostCall[] }> {
  const { caller, calls } = await openServedHost(world, serve(draw), 'pictures')
  const image = { image: 'pictures', environment: 'pictures' }
  return { sessions: hostSessions({ world, caller, ...image, withSnapshots: false }), calls }
}

function serve(draw: (steps: number) => SentPicture[]): ServedEnvironment {
  return {
    id: 'pictures',
    facts: async () => pictureEnvironment,
    async open() {
      let steps = 0
      const answer = (done: boolean): BackendAnswer => {
        const reward = done ? 1 : 0
        return {
          observation: `Page ${steps}.`,
          pictures: draw(steps),
          reward,
          done,
          valid: true,
          progress: reward,
        }
      }
      return {
        reset() {
          steps = 0
          return answer(false)
        },
        step(action) {
          steps += 1
          return answer(action === 'finish')
        },
        validActions: () => null,
        close: () => undefined,
      }
    },
  }
}
