import { pageTools, stopTool } from '../browser/actions/page-tools.ts'
import type { EnvironmentGuide } from '../environment.ts'

export const miniwobOpening = 'You use a web page, and do what its objective says.'

const rules = `${miniwobOpening}
Each of your actions is one line. An element is named by the number in brackets before it in the newest observation; numbers change when the page does.
- click [id]: clicks on the middle of the element
- type [id] [text] [1]: clicks on the element and types the text, then Enter; with [0] at the end without Enter
- clear [id]: empties a text field
- hover [id]: moves the mouse there
- press [keys]: presses keys, such as Enter, ArrowDown or Control+a
- scroll [down] or scroll [up]
- stop [answer]: gives up, or ends what the page does not end by itself
An option of a combobox is chosen by typing its name: type [id] [name] [1], with the id of the combobox.
The page ends the episode by itself, with or without success. A wrong click often ends it too.`

export const miniwobGuide: EnvironmentGuide = {
  rules,
  tools: [...pageTools, stopTool('Gives up, or ends what the page does not end by itself.')],
  example: {
    observation: `Objective: Enter the number "5" into the text field and press Submit.

Tab 0 (current): Number Task

[1] RootWebArea 'Number Task' focused: True
	[2] StaticText 'Enter the number "5" into the text field and press Submit.'
	[3] textbox '' required: False
	[4] button 'Submit'`,
    turns: [
      {
        thought: 'The text field is element 3. I type the number there, without Enter.',
        action: 'type [3] [5] [0]',
        observation: `Objective: Enter the number "5" into the text field and press Submit.

Tab 0 (current): Number Task

[1] RootWebArea 'Number Task'
	[2] StaticText 'Enter the number "5" into the text field and press Submit.'
	[3] textbox '' focused: True required: False
		[4] StaticText '5'
	[5] button 'Submit'`,
      },
      {
        thought: 'The number is there. The button is element 5 now.',
        action: 'click [5]',
        observation: `Objective: Enter the number "5" into the text field and press Submit.

Tab 0 (current): Number Task

[1] RootWebArea 'Number Task'`,
      },
    ],
  },
}
