export interface TaskType {
  /** The name in ETO's task files (Song et al. 2024). */
  readonly eto: string
  readonly description: string
  /**
   * The step limit of a trajectory: ETO's cap, or if it has none, a limit with room for the simulator's own
   * solutions.
   */
  readonly max_steps: number
}

/** By the simulator's name, in the order of the numbers that ETO's task files may use. */
export const taskTypes: Readonly<Record<string, TaskType>> = {
  boil: { eto: 'task-1-boil', description: 'Boil a substance.', max_steps: 100 },
  'change-the-state-of-matter-of': {
    eto: 'task-1-change-the-state-of-matter-of',
    description: 'Change the state of matter of a substance.',
    max_steps: 80,
  },
  freeze: { eto: 'task-1-freeze', description: 'Freeze a substance.', max_steps: 80 },
  melt: { eto: 'task-1-melt', description: 'Melt a substance.', max_steps: 80 },
  'measure-melting-point-known-substance': {
    eto: 'task-10-measure-melting-point-(known-substance)',
    description: 'Measure where a named substance melts.',
    max_steps: 120,
  },
  'measure-melting-point-unknown-substance': {
    eto: 'task-10-measure-melting-point-(unknown-substance)',
    description: 'Measure where an unknown substance melts.',
    max_steps: 120,
  },
  'use-thermometer': {
    eto: 'task-10-use-thermometer',
    description: 'Measure the temperature of something.',
    max_steps: 30,
  },
  'power-component': {
    eto: 'task-2-power-component',
    description: 'Build a circuit that powers a part.',
    max_steps: 20,
  },
  'power-component-renewable-vs-nonrenewable-energy': {
    eto: 'task-2-power-component-(renewable-vs-nonrenewable-energy)',
    description: 'Power a part from a given kind of energy.',
    max_steps: 30,
  },
  'test-conductivity': {
    eto: 'task-2a-test-conductivity',
    description: 'Find out whether a named thing conducts electricity.',
    max_steps: 30,
  },
  'test-conductivity-of-unknown-substances': {
    eto: 'task-2a-test-conductivity-of-unknown-substances',
    description: 'Find out whether an unknown substance conducts electricity.',
    max_steps: 30,
  },
  'find-animal': { eto: 'task-3-find-animal', description: 'Find an animal and bring it.', max_steps: 15 },
  'find-living-thing': {
    eto: 'task-3-find-living-thing',
    description: 'Find something that lives and bring it.',
    max_steps: 15,
  },
  'find-non-living-thing': {
    eto: 'task-3-find-non-living-thing',
    description: 'Find something that does not live and bring it.',
    max_steps: 15,
  },
  'find-plant': { eto: 'task-3-find-plant', description: 'Find a plant and bring it.', max_steps: 15 },
  'grow-fruit': { eto: 'task-4-grow-fruit', description: 'Grow a fruit.', max_steps: 60 },
  'grow-plant': { eto: 'task-4-grow-plant', description: 'Grow a plant from a seed.', max_steps: 30 },
  'chemistry-mix': {
    eto: 'task-5-chemistry-mix',
    description: 'Mix substances to make another.',
    max_steps: 60,
  },
  'chemistry-mix-paint-secondary-color': {
    eto: 'task-5-chemistry-mix-paint-(secondary-color)',
    description: 'Mix a paint from two colours.',
    max_steps: 15,
  },
  'chemistry-mix-paint-tertiary-color': {
    eto: 'task-5-chemistry-mix-paint-(tertiary-color)',
    description: 'Mix a paint in two rounds.',
    max_steps: 30,
  },
  'lifespan-longest-lived': {
    eto: 'task-6-lifespan-(longest-lived)',
    description: 'Name the animal that lives longest.',
    max_steps: 10,
  },
  'lifespan-longest-lived-then-shortest-lived': {
    eto: 'task-6-lifespan-(longest-lived-then-shortest-lived)',
    description: 'Name the animal that lives longest, then the one that lives shortest.',
    max_steps: 12,
  },
  'lifespan-shortest-lived': {
    eto: 'task-6-lifespan-(shortest-lived)',
    description: 'Name the animal that lives shortest.',
    max_steps: 10,
  },
  'identify-life-stages-1': {
    eto: 'task-7-identify-life-stages-1',
    description: 'Name the stages of a plant’s life in order.',
    max_steps: 30,
  },
  'identify-life-stages-2': {
    eto: 'task-7-identify-life-stages-2',
    description: 'Name the stages of an animal’s life in order.',
    max_steps: 30,
  },
  'inclined-plane-determine-angle': {
    eto: 'task-8-inclined-plane-determine-angle',
    description: 'Find the steeper of two inclined planes.',
    max_steps: 120,
  },
  'inclined-plane-friction-named-surfaces': {
    eto: 'task-8-inclined-plane-friction-(named-surfaces)',
    description: 'Find the inclined plane with the most or least friction, of named surfaces.',
    max_steps: 200,
  },
  'inclined-plane-friction-unnamed-surfaces': {
    eto: 'task-8-inclined-plane-friction-(unnamed-surfaces)',
    description: 'Find the inclined plane with the most or least friction, of unnamed surfaces.',
    max_steps: 250,
  },
  'mendelian-genetics-known-plant': {
    eto: 'task-9-mendellian-genetics-(known-plant)',
    description: 'Find out which trait of a known plant is dominant or recessive.',
    max_steps: 150,
  },
  'mendelian-genetics-unknown-plant': {
    eto: 'task-9-mendellian-genetics-(unknown-plant)',
    description: 'Find out which trait of an unknown plant is dominant or recessive.',
    max_steps: 150,
  },
}
