import { readFileSync } from 'node:fs';
import { CONTROLS } from '../../../scripts/cluster/controls.mjs';
import { STORY_NAMES } from '../../../scripts/cluster/stories.mjs';

it.each(CONTROLS)(
  'the code of $safeguard is found once, and the story that must fail without it exists',
  ({ story, changes }) => {
    expect(STORY_NAMES).toContain(story);
    const counts = changes.map(({ file, from }) => readFileSync(file, 'utf8').split(from).length - 1);
    expect(counts).toEqual(changes.map(() => 1));
  },
);
