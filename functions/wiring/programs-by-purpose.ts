import type { EpisodePrograms } from '../../shared/core/engine/episodes/episode-program.ts'
import type { EpisodePlace } from '../../shared/core/engine/runs/run-definition.ts'

export function programsByPurpose(programs: {
  play: EpisodePrograms
  annotate: EpisodePrograms
}): EpisodePrograms {
  const { play, annotate } = programs
  const of = ({ purpose }: EpisodePlace) => (purpose === 'annotate' ? annotate : play)
  return {
    program: (run, request, place, ...rest) => of(place).program(run, request, place, ...rest),
    // Annotation uses only code of this repository.
    codeOf: (request, purpose) => (purpose === 'annotate' ? null : (play.codeOf?.(request, purpose) ?? null)),
    summarise: (run, request, place, records) => of(place).summarise(run, request, place, records),
  }
}
