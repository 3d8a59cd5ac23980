/** Which of the places, in rising order, is nearest to a point; 0 where there are none. */
export function nearestTo(places: readonly number[], point: number): number {
  let nearest = 0
  for (const [index, place] of places.entries()) {
    if (Math.abs(place - point) < Math.abs((places[nearest] ?? 0) - point)) nearest = index
  }
  return nearest
}
