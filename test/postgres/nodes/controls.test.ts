import { readFileSync } from 'node:fs';
import { CONTROLS } from '../../../scripts/cluster/controls.mjs';
import { STORY_NAMES } from '../../../scripts/cluster/stories.mjs';

it.each(CONTROLS)('a program can be built without $safeguard, and a story shows the effect', ({ story, changes }) => {
  expect(STORY_NAMES).toContain(story);
  const found = changes.map(({ file, from }) => readFileSync(file, 'utf8').split(from).length - 1);
  expect(found).toEqual(changes.map(() => 1));
});
