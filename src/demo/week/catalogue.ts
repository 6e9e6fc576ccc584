const NAMES = [
  'Tariro Moyo',
  'Chipo Dube',
  'Farai Ncube',
  'Rudo Sibanda',
  'Tendai Banda',
  'Nyasha Phiri',
  'Kuda Zulu',
  'Lindiwe Khumalo',
  'Thandiwe Nkosi',
  'Simba Chikore',
  'Anesu Gumbo',
  'Ruvimbo Mutasa',
  'Blessing Hove',
  'Tinashe Marufu',
  'Precious Mlambo',
  'Tatenda Shumba',
  'Memory Chirwa',
  'Brian Tembo',
  'Sibongile Ndlovu',
  'Joseph Mwale',
  'Amara Okafor',
  'Kofi Mensah',
  'Wanjiru Kamau',
  'Otieno Odhiambo',
  'Zanele Mokoena',
  'Pieter Botha',
  'Maria Santos',
  'Élodie Laurent',
  'Jonas Lindqvist',
  'Mei Tanaka',
  'Omar Haddad',
  'Priya Raman',
  'Hannah Weiss',
  'Daniel Carter',
  'Sofía Herrera',
  'Nomvula Dlamini',
] as const;

export interface WeekPayer {
  name: string;
  mobile: string;
  email: string;
  accountId: number;
}

export const PAYERS: readonly WeekPayer[] = NAMES.map((name, index) => ({
  name,
  mobile: `26377${4_310_207 + index * 13_577}`,
  email: `${name
    .normalize('NFD')
    .replace(/[^\w ]/g, '')
    .toLowerCase()
    .replace(' ', '.')}@example.test`,
  accountId: 301 + index,
}));

/** The goods that are sold in the week, with their prices. The shop of the demo sells fewer. */
export const GOODS: readonly (readonly [description: string, amount: string])[] = [
  ['House blend, 500 g', '14.50'],
  ['House blend, 2 kg', '49.00'],
  ['Enamel mug', '9.80'],
  ['Two enamel mugs', '18.60'],
  ['Moka pot, 6 cups', '38.00'],
  ['Hand grinder', '64.90'],
  ['Pour-over set', '52.50'],
  ['Espresso beans, 1 kg', '27.40'],
  ['Gift card', '25.00'],
  ['Gift card', '50.00'],
  ['Rooibos, 250 g', '8.40'],
  ['Honey from the valley', '12.20'],
  ['Breakfast hamper', '86.75'],
  ['Paper filters, 200', '7.90'],
  ['Travel flask', '33.60'],
  ['Milk frother', '45.30'],
  ['Tasting for two', '40.00'],
  ['Barista class, Saturday', '75.00'],
  ['Espresso machine, first instalment', '189.00'],
  ['Office delivery', '142.80'],
];
