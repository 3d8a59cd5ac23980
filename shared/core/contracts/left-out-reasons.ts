export const leftOutReasons = {
  failed: 'the task was not solved',
  limited: 'a limit ended the episode before the task was solved',
  errored: 'the service failed; that says nothing about the method',
  cancelled: 'the run was cancelled',
  not_finished: 'the episode had not ended when the dataset was built',
  below_min_reward: 'the reward was below the asked minimum',
  not_best: 'another attempt at the task was better, or as good and earlier',
  no_pair: 'no attempt at the task was better or worse by more than the margin',
  not_chosen: 'the task gives more pairs than asked for, and others were drawn',
  no_expert: 'no expert has played the task',
  no_branch: 'no node of the tree has children whose values differ by the margin',
  no_good_end: 'no path of the tree ends well enough',
  no_worse_end: 'no path of the tree ends worse than a good one by more than the margin',
  no_end: 'no path of the tree was played to its end',
  no_reward: 'a limit on money or time ended the episode, so that it has no reward',
  same_prompt: 'another attempt at the task gives its prompt',
  success_rate: 'the task was solved more often, or more rarely, than asked for',
  undecided: 'its reward or values lie between undesirable and desirable',
  no_values: 'the tree holds no values: nothing was backed up along its paths',
  not_asked: 'the model was not asked about it: that episode of the annotation run has no answer',
  no_search: 'there is no journal of a search: the episode was played along one path, or imported',
  too_long: 'the search takes more turns than `max_turns`',
  no_detour: 'the search went straight to its answer: nothing was taken back',
  learned: 'the episode learned or asked for others, and played no task of its own',
  no_model_message: 'the path holds no model answer, or an action that no model wrote',
  no_prompt: 'the path begins with the model, so that it answers nothing',
  not_text: 'the path shows pictures, and the request does not say whether rows show them',
  no_score:
    'it has no score that the request asks for: it was not judged, the scorer failed, or the judgement is outdated',
  score_outside: 'a score was outside the asked bounds',
  no_tokens:
    'its model calls have no exact tokens: play with "record": "tokens" on an endpoint that gives them',
  flat: 'all advantages of the task are zero, so that nothing is learned from it',
  pictures_cut:
    'the path shows more pictures than one prompt did, so that no one row shows each answer what its prompt showed',
} as const satisfies Record<string, string>

export type LeftOutReason = keyof typeof leftOutReasons

/** The same reasons in words for a preview: only a build asks a model. */
export const foreseenReasons: Readonly<Record<LeftOutReason, string>> = {
  ...leftOutReasons,
  not_finished: 'the episode has not ended yet',
  not_asked: 'a model is asked about it when the dataset is built',
}
