import { Column } from '../../components/column.tsx'

const columns = [
  {
    name: 'Success',
    hint: 'The share of episodes whose answer reached the environment’s success threshold',
    width: 6.2,
  },
  { name: 'Reward', hint: 'The mean reward of the answers', width: 6.2 },
  { name: 'Steps', hint: 'Environment steps of an episode, mean', width: 4 },
  { name: 'Path', hint: 'Actions on the path of an episode’s answer, mean', width: 4 },
  { name: 'Calls', hint: 'Model calls of an episode, mean', width: 6.2 },
  { name: 'Tokens', hint: 'Tokens of an episode, input and output, mean', width: 8.8 },
  {
    name: 'Cost',
    hint: 'US dollars of an episode, mean; unknown as soon as one endpoint states no price',
    width: 5,
  },
  {
    name: 'Per success',
    hint: 'All that the shared tasks took, errors included, by the solved episodes',
    width: 5.5,
  },
  { name: 'Learning, total', hint: 'What its learning episodes cost, which no other figure holds', width: 5 },
] as const

const perEpisode = 5

export function ChosenRunsHead({ effort }: { effort: string }) {
  return (
    <>
      <colgroup>
        <col />
        {columns.map(({ name, width }) => (
          <col key={name} style={{ width: `${width}rem` }} />
        ))}
      </colgroup>
      <thead>
        <tr>
          <td colSpan={3} />
          <th scope="colgroup" colSpan={perEpisode}>
            Mean per episode
          </th>
          <td colSpan={5} />
        </tr>
        <tr>
          <Column>Run</Column>
          {columns.map(({ name, hint }) => (
            <Column key={name} isNumber hint={hint}>
              {name}
            </Column>
          ))}
          <Column isNumber hint="Episodes with a reward on the shared tasks, of all">
            Episodes
          </Column>
          <Column hint={`No other run is as good or better for as few ${effort}, and better in one`}>
            Pareto front
          </Column>
          <Column isUnseen>Change</Column>
        </tr>
      </thead>
    </>
  )
}
