export type RoomKind = 'kitchen' | 'bedroom' | 'living room' | 'bathroom'

export interface Furniture {
  readonly kind: string
  readonly count: readonly [number, number]
}

const kitchenware = 'Bowl Cup Mug Plate'
const cutlery = 'ButterKnife Fork Knife Spoon Spatula Ladle'
const cookware = 'Kettle Pan Pot'
const food = 'Apple Bread Egg Lettuce Potato Tomato'
const seasoning = 'PepperShaker SaltShaker'
const washing = 'Cloth DishSponge SoapBar SoapBottle SprayBottle'
const papers = 'Book Newspaper'
const pocket = 'CellPhone CreditCard KeyChain RemoteControl Watch'
const writing = 'CD Pen Pencil'
const ornaments = 'Box Candle Statue TissueBox Vase'

const words = (...lists: readonly string[]): readonly string[] => lists.flatMap((list) => list.split(' '))

export const furniture: Readonly<
  Record<string, { readonly opens: boolean; readonly holds: readonly string[] }>
> = {
  ArmChair: {
    opens: false,
    holds: words(papers, 'CellPhone CreditCard KeyChain RemoteControl Laptop Pillow'),
  },
  BathtubBasin: { opens: false, holds: words('Cloth DishSponge SoapBar') },
  Bed: { opens: false, holds: words('Book CellPhone Laptop Pillow TeddyBear') },
  Cabinet: {
    opens: true,
    holds: words(kitchenware, cookware, seasoning, washing, 'Candle ToiletPaper Vase'),
  },
  CoffeeMachine: { opens: false, holds: words('Mug') },
  CoffeeTable: { opens: false, holds: words(papers, pocket, ornaments, 'Laptop Plate Pen Pencil') },
  CounterTop: {
    opens: false,
    holds: words(
      kitchenware,
      cutlery,
      cookware,
      food,
      seasoning,
      washing,
      'Candle TissueBox ToiletPaper Vase',
    ),
  },
  Desk: { opens: false, holds: words(pocket, writing, 'AlarmClock Book Box Laptop Mug Statue TissueBox') },
  DiningTable: { opens: false, holds: words(kitchenware, cutlery, cookware, food, seasoning, 'Vase') },
  Drawer: {
    opens: true,
    holds: words(
      cutlery,
      pocket,
      writing,
      papers,
      seasoning,
      'Candle Cloth DishSponge SoapBar TissueBox ToiletPaper',
    ),
  },
  Dresser: { opens: false, holds: words(pocket, writing, ornaments, 'AlarmClock Book Laptop Mug') },
  Fridge: { opens: true, holds: words(kitchenware, food, 'Pan Pot') },
  GarbageCan: {
    opens: false,
    holds: words(food, 'CD Cloth DishSponge Newspaper Pen Pencil SoapBar SprayBottle TissueBox'),
  },
  Microwave: { opens: true, holds: words(kitchenware, 'Apple Bread Egg Potato Tomato') },
  Safe: { opens: true, holds: words('CD CellPhone CreditCard KeyChain Statue') },
  Shelf: {
    opens: false,
    holds: words(pocket, ornaments, 'AlarmClock Book Bowl CD Mug Pen Pencil Plate ToiletPaper'),
  },
  SideTable: { opens: false, holds: words(pocket, writing, ornaments, papers, 'AlarmClock Laptop Mug') },
  SinkBasin: {
    opens: false,
    holds: words(kitchenware, cutlery, cookware, 'Apple Egg Lettuce Potato Tomato Cloth DishSponge SoapBar'),
  },
  Sofa: { opens: false, holds: words(papers, 'CellPhone CreditCard KeyChain RemoteControl Laptop Pillow') },
  StoveBurner: { opens: false, holds: words(cookware) },
  Toilet: { opens: false, holds: words('Candle Cloth SoapBar SoapBottle SprayBottle TissueBox ToiletPaper') },
  ToiletPaperHanger: { opens: false, holds: words('ToiletPaper') },
}

export const rooms: Readonly<Record<RoomKind, readonly Furniture[]>> = {
  kitchen: [
    { kind: 'Cabinet', count: [2, 3] },
    { kind: 'CoffeeMachine', count: [0, 1] },
    { kind: 'CounterTop', count: [1, 2] },
    { kind: 'DiningTable', count: [0, 1] },
    { kind: 'Drawer', count: [1, 2] },
    { kind: 'Fridge', count: [1, 1] },
    { kind: 'GarbageCan', count: [1, 1] },
    { kind: 'Microwave', count: [1, 1] },
    { kind: 'SinkBasin', count: [1, 1] },
    { kind: 'StoveBurner', count: [0, 2] },
  ],
  bedroom: [
    { kind: 'Bed', count: [1, 1] },
    { kind: 'Desk', count: [1, 1] },
    { kind: 'Drawer', count: [1, 3] },
    { kind: 'Dresser', count: [0, 1] },
    { kind: 'GarbageCan', count: [1, 1] },
    { kind: 'Safe', count: [0, 1] },
    { kind: 'Shelf', count: [0, 3] },
    { kind: 'SideTable', count: [1, 2] },
  ],
  'living room': [
    { kind: 'ArmChair', count: [1, 2] },
    { kind: 'CoffeeTable', count: [1, 1] },
    { kind: 'Drawer', count: [1, 3] },
    { kind: 'Dresser', count: [0, 1] },
    { kind: 'GarbageCan', count: [1, 1] },
    { kind: 'Shelf', count: [0, 2] },
    { kind: 'SideTable', count: [1, 2] },
    { kind: 'Sofa', count: [1, 1] },
  ],
  bathroom: [
    { kind: 'BathtubBasin', count: [0, 1] },
    { kind: 'Cabinet', count: [1, 3] },
    { kind: 'CounterTop', count: [1, 1] },
    { kind: 'Drawer', count: [0, 2] },
    { kind: 'GarbageCan', count: [1, 1] },
    { kind: 'Shelf', count: [0, 1] },
    { kind: 'SinkBasin', count: [1, 2] },
    { kind: 'Toilet', count: [1, 1] },
    { kind: 'ToiletPaperHanger', count: [1, 1] },
  ],
}

export const contents: Readonly<Record<RoomKind, readonly string[]>> = {
  kitchen: words(kitchenware, cutlery, cookware, food, seasoning, 'DishSponge SoapBottle'),
  bedroom: words(pocket, writing, ornaments, 'AlarmClock Book Laptop Mug Pillow TeddyBear'),
  'living room': words(papers, pocket, ornaments, 'Laptop Pen Pencil Pillow Plate'),
  bathroom: words(washing, 'Candle TissueBox ToiletPaper'),
}

export const traits = {
  cleanable: words(
    kitchenware,
    cutlery,
    cookware,
    'Apple Egg Lettuce Potato Tomato Cloth DishSponge SoapBar',
  ),
  heatable: words('Apple Bread Cup Egg Mug Plate Potato Tomato'),
  coolable: words(kitchenware, food, 'Pan Pot'),
  sliceable: words(food),
} as const

export const lamps: Readonly<Record<string, readonly string[]>> = {
  DeskLamp: ['Desk', 'SideTable', 'Dresser'],
  FloorLamp: ['SideTable', 'CoffeeTable', 'Dresser'],
}
