import type { VerdictQuestion } from '../../../core/contracts/model-question.ts'
import type { SentPicture } from '../../../core/contracts/picture.ts'

export function askWhetherEqual(reference: string, answer: string, intent: string): VerdictQuestion {
  return {
    role: 'judge',
    text: `You grade an answer to a question. Compare it with the reference answer by what it means, and not by its wording or its format. An answer that says more than the reference is right as long as the addition does not contradict it. A dash or "N/A" as the reference means that there is nothing to be found.

Question: ${intent}
Reference answer: ${reference}
Answer to grade: ${answer}

Conclude with one word or two: correct, incorrect, or partially correct.`,
    accept: ['correct'],
    refuse: ['partially correct', 'incorrect'],
    otherwise: 'unreadable',
  }
}

export function askWhetherSameReason(reason: string, answer: string, intent: string): VerdictQuestion {
  return {
    role: 'judge',
    text: `A task cannot be done. You are given the actual reason for it, and a report of a person who tried. Decide whether the report says, or follows from, the same reason. A report that claims to have done the task, or that gives another reason, is different.

Task: ${intent}
Actual reason: ${reason}
Report: ${answer}

Conclude with one word: same or different.`,
    accept: ['same'],
    refuse: ['different'],
    otherwise: 'unreadable',
  }
}

export function askAboutPicture(picture: SentPicture, question: string, expected: string): VerdictQuestion {
  return {
    role: 'captioner',
    text: `Q: ${question} A:`,
    pictures: [picture],
    accept: [expected],
    refuse: [],
    otherwise: 'no',
  }
}
