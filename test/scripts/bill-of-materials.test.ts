import { billOfMaterials } from '../../scripts/build/libraries.mjs';

describe('the bill of materials', () => {
  const program = { name: 'a-program', version: '1.0.0', license: 'MIT' };

  it('has each library once, with its package URL and its licence', () => {
    const library = { name: '@scope/library', version: '2.1.0', license: 'ISC' };
    const { components, metadata } = billOfMaterials(program, [library, library]);
    expect(components).toEqual([
      {
        type: 'library',
        name: '@scope/library',
        version: '2.1.0',
        purl: 'pkg:npm/%40scope/library@2.1.0',
        licenses: [{ license: { id: 'ISC' } }],
      },
    ]);
    expect(metadata.component).toMatchObject({ type: 'application', purl: 'pkg:npm/a-program@1.0.0' });
  });

  it('has the expression of a library with several licences, and none for one that states none', () => {
    const libraries = [
      { name: 'two', version: '1.0.0', license: '(MIT OR Apache-2.0)' },
      { name: 'none', version: '1.0.0', license: undefined },
    ];
    const { components } = billOfMaterials(program, libraries);
    expect(components.map(({ licenses }) => licenses)).toEqual([[{ expression: '(MIT OR Apache-2.0)' }], undefined]);
  });
});
