import { readFileSync } from 'node:fs';
import { CONTROLS } from '../../../scripts/cluster/controls.mjs';
import { STORY_NAMES } from '../../../scripts/cluster/stories.mjs';

it.each(CONTROLS)(
  'each text that is replaced to remove $safeguard is unique in its file, and its story exists',
  ({ story, changes }) => {
    expect(STORY_NAMES).toContain(story);
    const counts = changes.map(({ file, from }) => readFileSync(file, 'utf8').split(from).length - 1);
    expect(counts).toEqual(changes.map(() => 1));
  },
);
