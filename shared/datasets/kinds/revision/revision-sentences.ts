/** Sentences in which a model notices its error; one of them is drawn for each row. */
export const revisionSentences = [
  'That was a mistake on my part, so I stop here and take another way.',
  'I see now that these steps lead nowhere, and I had better change my approach.',
  'What I just did does not serve the task. I will correct it.',
  'I misjudged this. Let me think again and choose better actions.',
  'This does not work as I expected, so I will try something else.',
  'I went wrong above; from here on I keep to what the task asks for.',
  'Looking back, that was not the right thing to do. I will put it right.',
  'I should not go on like this. I need a different plan.',
  'The answers show that I am off the track, so I will find my way back.',
  'I have made an error here and will go on in a better way.',
] as const
