/** Names of colours and finishes, in alphabetical order: the first that a value contains stands for it. */
const colours = (
  'alabaster apricot aqua ash asphalt azure banana beige black blue blush bordeaux bronze brown burgundy camel camo ' +
  'caramel champagne charcoal cheetah chestnut chocolate christmas coffee cognac copper coral cranberry cream crystal ' +
  'dark denim eggplant elephant espresso fuchsia gold granite grape graphite grass gray green grey heather indigo ivory ' +
  'ivy khaki lavender lemon leopard light lilac lime magenta maroon mauve merlot midnight mint mocha multicolor mushroom ' +
  'mustard natural navy nude olive orange peach pewter pink plum purple rainbow red rose royal rust sand sapphire ' +
  'seashell silver skull slate steel stone stonewash sunflower tan taupe teal tiger turquoise violet walnut wheat white ' +
  'wine yellow'
).split(' ')

const colourSet = new Set(colours)

/** The first colour that a value contains, else the value: `a-light grey-thumbhole` is `grey`. */
export function normaliseColour(value: string): string {
  return colours.find((colour) => value.includes(colour)) ?? value
}

/** Whether a text is the name of a colour and nothing else. */
export function isColour(text: string): boolean {
  return colourSet.has(text)
}
