import type { Examples } from './play-examples.ts'
import type { Served } from './serve-folder.ts'

/** The addresses of every page with something on it, and of those that say that there is nothing. */
export async function everyPage({
  client,
  examples,
}: Pick<Served, 'client'> & { examples: Examples }): Promise<Record<string, string>> {
  const { react, mcts, debate, reflecting, learning, capped, dataset, rollout } = examples
  const { endpoint, model, training } = examples
  const [first] = (await client.episodes(mcts, { limit: 1 })).data
  const [debated] = (await client.episodes(debate, { limit: 1 })).data
  const [memory] = (await client.memories({ limit: 1 })).data
  const [library] = (await client.libraries({ limit: 1 })).data
  const [plain] = (await client.episodes(react, { limit: 1 })).data
  const episode = `/runs/${mcts}/episodes/${first?.id}`
  return {
    runs: '/runs',
    'runs that no filter fits': '/runs?name=nothing-is-called-this',
    'new run': '/runs/new',
    'new run from another': `/runs/new?from=${mcts}`,
    run: `/runs/${mcts}`,
    'judge episodes': `/runs/${mcts}/label?blind=1`,
    'judge episodes by grades': `/runs/${react}/label?scale=graded&again=1&episode=${plain?.id}`,
    'judge episodes of a run without any': `/runs/${capped}/label`,
    'run of learned actions': `/runs/${learning}`,
    'run with reflections': `/runs/${reflecting}`,
    'run without ended episodes': `/runs/${capped}`,
    'unknown run': '/runs/run-of-nobody',
    episode,
    'episode at a node': `${episode}?node=1`,
    'episode as outline': `${episode}?view=outline`,
    'episode as waterfall': `${episode}?view=waterfall`,
    'episode as conversation': `${episode}?view=conversation`,
    'episode with a debate': `/runs/${debate}/episodes/${debated?.id}?node=1`,
    'unknown episode': `/runs/${mcts}/episodes/ep-9999999`,
    compare: `/compare?runs=${react},${mcts}`,
    'compare nothing': '/compare',
    'side by side': `/compare/episodes?left=${react}/${plain?.id}&right=${mcts}/${first?.id}`,
    'side by side, one chosen': `/compare/episodes?left=${react}/${plain?.id}`,
    'side by side, one unknown': `/compare/episodes?left=${react}/${plain?.id}&right=${mcts}/ep-9999999`,
    'merged graph': `/graph?${new URLSearchParams({ runs: `${react},${mcts}`, task: plain?.task ?? '' })}`,
    'merged graph at a state': `/graph?${new URLSearchParams({ runs: react, task: plain?.task ?? '', node: '1' })}`,
    'merged graph as outline': `/graph?${new URLSearchParams({ runs: mcts, task: plain?.task ?? '', view: 'outline', paths: 'all' })}`,
    'merged graph of nothing': '/graph',
    leaderboard: `/leaderboard?experiment=examples`,
    'leaderboard of nothing': '/leaderboard',
    'leaderboard of an unknown experiment': '/leaderboard?experiment=nothing',
    search: '/search?q=craft*',
    'search without words': '/search',
    'search that finds nothing': '/search?q=nothinglikethis&kind=note',
    datasets: '/datasets',
    'new dataset': `/datasets/new?runs=${mcts}`,
    dataset: `/datasets/${dataset}`,
    'unknown dataset': '/datasets/dataset-of-nobody',
    trainings: '/trainings',
    'new training': `/trainings/new?datasets=${dataset}`,
    training: `/trainings/${training}`,
    'unknown training': '/trainings/training-of-nobody',
    models: '/models',
    model: `/models/${model}`,
    'unknown model': '/models/model-of-nobody',
    environments: '/environments',
    'a task to play by hand': '/environments/textcraft/try',
    'unknown environment to play': '/environments/mazes/try',
    'ended session': '/environments/textcraft/try?session=session-of-nobody',
    'environments that no facet fits': '/environments?text=nothing&states=none',
    workers: '/workers',
    endpoints: '/endpoints',
    'new endpoint': '/new-endpoint',
    endpoint: `/endpoints/${endpoint}`,
    'configured endpoint': '/endpoints/simulated',
    'unknown endpoint': '/endpoints/nowhere',
    loops: '/loops',
    'new loop': newLoop(model, react),
    'unknown loop': '/loops/loop-of-nobody',
    rollouts: '/rollouts',
    rollout: `/rollouts/${rollout}`,
    'unknown rollout': '/rollouts/rollout-of-nobody',
    'tree coloured by model': `${episode}?colour=model`,
    'runs in an order, with columns of widths': '/runs?sort=cost&order=desc&hide=created&widths=run.300',
    'tree coloured by advantage': `/runs/${rollout.replace('rollout-', 'run-')}/episodes/ep-0000000?colour=advantage`,
    libraries: '/libraries',
    library: `/libraries/${library?.id}`,
    memories: '/memories',
    memory: `/memories/${memory?.id}`,
    guide: '/guide',
    'page of the guide': '/guide/concepts',
    'embedded run': `/embed/runs/${mcts}`,
    'embedded episode': `/embed${episode}`,
    'embedded comparison': `/embed/compare?runs=${react},${mcts}`,
    'unknown page': '/nowhere/at/all',
  }
}

function newLoop(model: string, expert: string): string {
  const request = {
    recipe: 'rft',
    environment: 'textcraft',
    base: { registered: model },
    experts: [expert],
    tasks: { train: { split: 'train', limit: 40 }, test: { split: 'test', limit: 20 } },
  }
  return `/loops/new?${new URLSearchParams({ request: JSON.stringify(request) })}`
}
