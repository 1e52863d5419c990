OziExplorer Track Point File Version 2.1
Tokyo
Altitude is in Meters
Reserved 3
1,2,255,"a,b",1,0,2,0
2
-46.9,-7.4,1,540.5,0,,

46.9,7.4,0,-777
91,7.4,0,1
x,y
46.91,7.41,1,541,45429.5,17-May-24,12:00:00
46.92,7.