OziExplorer Track Point File Version 2.1
WGS 84
Altitude is in Feet

0,2,255
0
46.9,7.4,1,-777,-1e9
46.9,7.4,0,1e9,1e9
