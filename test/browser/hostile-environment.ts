import type { PureCore, PureEnvironment } from '../../shared/environments/environment.ts'

type State = { steps: number }

/** Sets `window.sentinel` where a page executes any of it. */
export const attacks = {
  script: '<script>window.sentinel="script"</script>',
  image: '<img src=x onerror="window.sentinel=\'image\'">',
  vector: '<svg onload="window.sentinel=\'vector\'"><a href="javascript:window.sentinel=1">here</a></svg>',
  frame: '<iframe srcdoc="<script>parent.sentinel=\'frame\'</script>"></iframe>',
  link: '[click me](javascript:window.sentinel="link")',
  elsewhere:
    '![](https://tracker.invalid/pixel.png) <link rel=stylesheet href=https://tracker.invalid/x.css>',
  style: '<style>body{display:none}</style></div></main><h1>taken over</h1>',
  template: '{{constructor.constructor("window.sentinel=1")()}}',
}

/** An escape of terminals, a mark that turns the direction of writing, a null, and letters that are written leftwards. */
export const controls = '\u001b[31mred\u001b[0m \u202egnp.exe\u202c \u0000 \u200b שלום עולם مرحبا'

export const everything = Object.values(attacks).join('\n')
const large = `${everything}\n${'A line of a very long observation, as some environments write them. '.repeat(31_000)}`

const tasks = [
  { id: `task ${attacks.image}`, split: 'train', type: attacks.script, description: everything },
  { id: 'task-\u202eesrever', split: 'train', type: `type ${controls}`, description: controls },
]

const core: PureCore<State> = {
  reset: () => ({ state: { steps: 0 }, observation: observe(`${everything}\n${controls}`) }),
  step({ steps }, action) {
    const done = steps === 2
    return {
      state: { steps: steps + 1 },
      observation: observe(steps === 0 ? large : `${controls}\nYou did: ${action}`),
      reward: done ? 1 : 0,
      done,
      valid: true,
      progress: done ? 1 : 0,
    }
  },
  validActions: () => [attacks.image],
}

/** What is offered is what a simulated model, which knows nothing of it, does. */
function observe(text: string): string {
  return `${text}\nValid actions:\n${attacks.image}\n${attacks.link}\nsay ${attacks.vector}`
}

/** An environment whose every text tries to become part of the page that shows it. */
export const hostile: PureEnvironment<State> = {
  id: 'hostile',
  description: `An environment that ${everything}`,
  snapshot: 'native',
  deterministic: true,
  success_threshold: 1,
  max_observation_bytes: 4 * 2 ** 20,
  default_max_steps: 5,
  tasks: () => tasks,
  describe: () => ({ rules: `The rules: ${everything}`, example: null }),
  open: async () => core,
}
